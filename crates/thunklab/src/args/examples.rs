//! What stands below the options of each command's `--help`: the calls that people come for.

pub(crate) const DIFF: &str = "\
Examples:
  thunklab diff zen5/x.json icelake/x.json    on which machine does a variant cost more?
  thunklab diff before.json after.json --fail-on regression --threshold 2%
  thunklab diff results --between chained     all records below a folder
  thunklab diff a.json b.json --format markdown

Cycles of different machines are never compared: each variant stands against its own
baseline on its own machine, and these ratios are compared.";

pub(crate) const REPORT: &str = "\
Examples:
  thunklab report results -o report.html      every record below a folder, one page
  thunklab report a.json b.json -o - | less   the page on stdout
  thunklab report results --format markdown   tables that paste into a mail or a ticket
  ssh host thunklab run -o - | thunklab report - -o host.html

A file that is no sound record is told on stderr in one line, the others are reported, and
the exit status is 1; 2 if there is nothing to report or the call was wrong.";

pub(crate) const LISTING: &str = "\
Examples:
  thunklab listing clear_bhb_loop --variant ah-al --syntax intel
  thunklab listing retpoline --format source -o expanded.s
  thunklab listing fences --variant lfence --format raw -o lfence.bin";

pub(crate) const ASSEMBLE: &str = "\
Examples:
  thunklab assemble x.s -o x.bin              the bytes of .text
  thunklab assemble x.S --config CONFIG_X=1 -o - | objdump -D -b binary -m i386:x86-64 /dev/stdin";

pub(crate) const CHECK: &str = "\
Examples:
  thunklab check mine.S                       all errors and warnings at once
  thunklab check sequences/*.S --format json  for an editor or CI";

pub(crate) const MACHINE: &str = "\
Examples:
  thunklab machine                            why is there no counter here?
  thunklab machine --format json              facts and capabilities for scripts";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  thunklab completions bash > ~/.local/share/bash-completion/completions/thunklab
  thunklab completions zsh > ~/.zfunc/_thunklab
  thunklab completions fish > ~/.config/fish/completions/thunklab.fish";

pub(crate) const MANUAL: &str = "\
Examples:
  thunklab man | man -l -                     read it
  thunklab man run | man -l -                 one command's page
  thunklab man -o ~/.local/share/man/man1     install all of them";
