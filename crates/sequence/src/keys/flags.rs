//! Flags of `/proc/cpuinfo`, to find misspelt ones: Linux 6.12's, and those of kernels before it.

/// Intel's and AMD's flags, Linux' own, and those of virtual machines.
const FLAGS: &str = "\
    fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 pn clflush dts acpi mmx \
    fxsr sse sse2 ss ht tm ia64 pbe \
    syscall mp nx mmxext fxsr_opt pdpe1gb rdtscp lm 3dnowext 3dnow \
    recovery longrun lrti cxmmx k6_mtrr cyrix_arr centaur_mcr k8 k7 p3 p4 \
    constant_tsc up art arch_perfmon pebs bts rep_good acc_power nopl xtopology tsc_reliable \
    nonstop_tsc cpuid extd_apicid amd_dcm aperfmperf rapl nonstop_tsc_s3 tsc_known_freq \
    pni pclmulqdq dtes64 monitor ds_cpl vmx smx est tm2 ssse3 cid sdbg fma cx16 xtpr pdcm pcid dca \
    sse4_1 sse4_2 x2apic movbe popcnt tsc_deadline_timer aes xsave avx f16c rdrand hypervisor \
    rng rng_en ace ace_en ace2 ace2_en phe phe_en pmm pmm_en \
    lahf_lm cmp_legacy svm extapic cr8_legacy abm sse4a misalignsse 3dnowprefetch osvw ibs xop \
    skinit wdt lwp fma4 tce nodeid_msr tbm topoext perfctr_core perfctr_nb bpext ptsc perfctr_llc \
    mwaitx ring3mwait cpuid_fault cpb epb cat_l3 cat_l2 cdp_l3 cdp_l2 hw_pstate proc_feedback \
    invpcid_single pti ssbd mba rsb_ctxsw ibrs ibpb stibp ibrs_enhanced tpr_shadow flexpriority ept \
    vpid vnmi vmmcall ept_ad vmw_vmmcall tdx_guest \
    fsgsbase tsc_adjust sgx bmi1 hle avx2 fdp_excptn_only smep bmi2 erms invpcid rtm cqm \
    zero_fcs_fds mpx rdt_a avx512f avx512dq rdseed adx smap avx512ifma clflushopt clwb intel_pt \
    avx512pf avx512er avx512cd sha_ni avx512bw avx512vl \
    xsaveopt xsavec xgetbv1 xsaves xfd cqm_llc cqm_occup_llc cqm_mbm_total cqm_mbm_local \
    split_lock_detect user_shstk sgx1 sgx2 per_thread_mba bus_lock_detect smba bmec amd_lbr_v2 \
    perfmon_v2 amd_lbr_pmc_freeze amd_ibs abmc lass lam fred \
    avx_vnni avx512_bf16 cmpccxadd fzrm fsrs fsrc wrmsrns lkgs amx_fp16 avx_ifma \
    clzero irperf xsaveerptr rdpru wbnoinvd amd_ppin amd_ssbd virt_ssbd cppc amd_psfd brs ibpb_ret \
    dtherm ida arat pln pts hwp hwp_notify hwp_act_window hwp_epp hwp_pkg_req hwp_highest_perf_change \
    hfi \
    npt lbrv svm_lock nrip_save tsc_scale vmcb_clean flushbyasid decodeassists pausefilter pfthreshold \
    avic v_vmsave_vmload vgif x2avic v_spec_ctrl svme_addr_chk \
    avx512vbmi umip pku ospke waitpkg avx512_vbmi2 gfni vaes vpclmulqdq avx512_vnni avx512_bitalg tme \
    avx512_vpopcntdq la57 rdpid cldemote movdiri movdir64b enqcmd \
    overflow_recov succor smca \
    avx512_4vnniw avx512_4fmaps fsrm uintr avx512_vp2intersect srbds_ctrl md_clear rtm_always_abort \
    tsx_force_abort serialize hybrid_cpu tsxldtrk pconfig arch_lbr ibt amx_bf16 avx512_fp16 amx_tile \
    amx_int8 intel_stibp flush_l1d arch_capabilities core_capability spec_ctrl \
    avx_vnni_int8 avx_ne_convert amx_complex prefetchi avx_vnni_int16 sha512 sm3 sm4 avx10 \
    sme sev sev_es sev_snp vm_page_flush sme_coherent debug_swap sevt svsm invlpgb";

/// Whether a kernel shows such a flag on some CPU.
pub(super) fn is_known(word: &str) -> bool {
    FLAGS.split_ascii_whitespace().any(|known| known == word)
}

/// The known flag that a word is closest to, if it is close to any.
pub(super) fn nearest(word: &str) -> Option<&'static str> {
    let known: Vec<&'static str> = FLAGS.split_ascii_whitespace().collect();
    crate::nearest::nearest(word, &known)
}
