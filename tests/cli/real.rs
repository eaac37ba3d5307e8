//! This machine's own CPU: shapes with wide margins, and sequences that crash.

use record::{FailureKind, Record, Status};

use crate::program::{thunklab, thunklab_reads, variant};

/// A short run of `text` on the real machine.
fn run(text: &str, status: i32) -> Record {
    let done = thunklab_reads(text, ["run", "-", "--time", "300ms", "--format", "json"]);
    done.ends_with(status).record()
}

/// A harmless variant beside a harmful one: the first must be measured whatever the second does.
fn beside(harmful: &str) -> String {
    format!("#: baseline good\n#: variant good\n\tnop\n\tret\n#: variant bad\n{harmful}\n")
}

#[track_caller]
fn fails(harmful: &str, kind: FailureKind, signal: Option<&str>) -> record::Failure {
    let record = run(&beside(harmful), 1);
    assert_eq!(
        variant(&record, "good").status,
        Status::Measured,
        "{:?}",
        record.variants
    );
    let bad = variant(&record, "bad");
    assert_eq!(bad.status, Status::Failed, "{bad:?}");
    let failure = bad.failure.clone().expect("it says how");
    assert_eq!(failure.kind, kind, "{failure:?}");
    assert_eq!(failure.signal.as_deref(), signal, "{failure:?}");
    failure
}

#[test]
fn a_crash_ends_its_variant_alone_and_names_the_line() {
    let failure = fails(
        "\txor %eax, %eax\n\tmov (%rax), %eax\n\tret",
        FailureKind::Signal,
        Some("SIGSEGV"),
    );
    assert_eq!(failure.line, Some(7), "{failure:?}");
    assert_eq!(failure.ip, Some(2), "{failure:?}");
    assert!(
        failure
            .instruction
            .as_deref()
            .is_some_and(|text| text.contains("(%rax)")),
        "{failure:?}"
    );
    let failure = fails("\tud2", FailureKind::Signal, Some("SIGILL"));
    assert_eq!(failure.line, Some(6), "{failure:?}");
    fails("\tint3\n\tret", FailureKind::Signal, Some("SIGTRAP"));
    fails(
        "\txor %ecx, %ecx\n\tdiv %ecx\n\tret",
        FailureKind::Signal,
        Some("SIGFPE"),
    );
}

#[test]
fn an_endless_loop_is_stopped_and_found() {
    let failure = fails("1:\tjmp 1b", FailureKind::Timeout, None);
    assert_eq!(failure.line, Some(6), "{failure:?}");
}

#[test]
fn a_displaced_stack_pointer_is_told() {
    let record = run(
        &beside("\tpop %rax\n\tpush %rax\n\tpush %rax\n\tpush %rax\n\tret"),
        1,
    );
    assert_eq!(variant(&record, "good").status, Status::Measured);
    assert_eq!(variant(&record, "bad").status, Status::Failed);
}

#[test]
fn dependent_imuls_take_about_three_cycles_each() {
    let chain = |n: usize| "\timul %rax, %rax\n".repeat(n);
    let text = format!(
        "#: baseline short\n#: variant short\n{}\tret\n#: variant long\n{}\tret\n",
        chain(20),
        chain(60)
    );
    let record = run(&text, 0);
    let cycles = |name| {
        let measure = &variant(&record, name).measures[&record::Context::Isolated];
        measure.cycles.clone().expect("measured").estimate
    };
    // 3 cycles a link on all but a few cores, where it is 4 or 5; the margin holds those too.
    let per_link = (cycles("long") - cycles("short")) / 40.0;
    assert!((1.5..8.0).contains(&per_link), "{per_link}");
}

#[test]
fn this_machine_tells_its_facts() {
    let done = thunklab(["machine"]).ends_with(0);
    assert!(done.stdout.contains("cpu"), "{}", done.stdout);
}

#[test]
fn what_needs_ring_0_is_not_run() {
    let text = "#: variant a\n\tret\n#: variant b\n#: needs ring0\n\tmov %cr3, %rax\n\tret\n";
    let record = run(text, 0);
    let not_run = variant(&record, "b");
    assert_eq!(not_run.status, Status::NotRun);
    assert!(
        not_run
            .reason
            .as_deref()
            .is_some_and(|reason| reason.contains("ring")),
        "{not_run:?}"
    );
}
