//! A comparison of records as Markdown and as CSV.

use record::{Diff, Ratio};

use crate::diff_table::{
    histories, history_columns, history_text, legend, letter, ratio_text, ratios, row_lines,
    row_name, shown, signs, title,
};
use crate::heading;
use crate::markdown::{escaped, list, table};
use crate::number::{cycles, interval, signed_percent, verdict};
use crate::run_csv::{number, params, written};

/// A comparison as Markdown. With `verbose`, every comparison has its interval.
#[must_use]
pub fn diff_markdown(diff: &Diff, verbose: bool) -> String {
    let mut text = format!("### {}\n\n", escaped(&title(diff)));
    let legends: Vec<String> = (0..diff.records.len())
        .map(|index| legend(diff, index))
        .collect();
    text.push_str(&list(&legends));
    text.push('\n');
    let mut heads = vec!["variant".to_owned()];
    let with_history = history_columns(diff);
    for (index, &history) in with_history.iter().enumerate() {
        heads.push(format!("{} cyc", letter(index)));
        heads.push("+%".to_owned());
        if history {
            heads.push("BHB".to_owned());
        }
    }
    for index in 1..diff.records.len() {
        heads.push(format!("{}/A +%", letter(index)));
    }
    let rows: Vec<Vec<String>> = shown(diff)
        .map(|row| {
            let mut cells = vec![escaped(&row_name(diff, row))];
            for (cell, &history) in row.cells.iter().zip(&with_history) {
                let value = cell.cycles.as_ref().map(|found| cycles(found.estimate));
                cells.push(value.unwrap_or_else(|| "-".to_owned()));
                cells.push(match &cell.vs_baseline {
                    Some(vs) if verbose => escaped(&format!(
                        "{} {}",
                        signed_percent(vs.ratio),
                        interval(vs.low, vs.high)
                    )),
                    Some(vs) => verdict(vs),
                    None if cell.cycles.is_none() => "-".to_owned(),
                    None if row.variant == diff.baseline => "---".to_owned(),
                    None => "?".to_owned(),
                });
                if history {
                    cells.push(history_text(cell).to_owned());
                }
            }
            cells.extend(ratios(diff, row).iter().map(|ratio| match ratio {
                None => String::new(),
                Some(ratio) if verbose => escaped(&format!(
                    "{} {}",
                    signed_percent(ratio.ratio),
                    interval(ratio.low, ratio.high)
                )),
                Some(ratio) => ratio_text(ratio),
            }));
            cells
        })
        .collect();
    text.push_str(&table(&heads, &rows));
    let mut below = vec![signs(diff)];
    below.extend(histories(diff));
    below.extend(diff.rows.iter().flat_map(|row| row_lines(diff, row, false)));
    below.extend(diff.warnings.iter().map(|warning| {
        format!(
            "warning: {}.",
            heading::advised(warning).trim_end_matches('.')
        )
    }));
    below.extend(diff.less.iter().cloned());
    text.push_str(&format!(
        "\n{}\n**{}**\n",
        list(&below),
        escaped(&diff.finding)
    ));
    text
}

/// A comparison as CSV: a head, then one row per variant, params and record. The ratios of a later
/// record to the first stand in that record's row.
#[must_use]
pub fn diff_csv(diff: &Diff) -> String {
    let head = [
        "record",
        "machine",
        "sequence",
        "variant",
        "params",
        "between",
        "cycles",
        "low",
        "high",
        "ratio",
        "ratio_low",
        "ratio_high",
        "verdict",
        "ratio_of_ratios",
        "ratio_of_ratios_low",
        "ratio_of_ratios_high",
        "ratio_of_ratios_verdict",
        "direct",
        "direct_low",
        "direct_high",
        "direct_verdict",
        "history",
        "does_less",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for row in &diff.rows {
        for (index, (cell, record)) in row.cells.iter().zip(&diff.records).enumerate() {
            let cycles = cell.cycles.as_ref();
            let vs = cell.vs_baseline.as_ref();
            let word = match (vs, cell.cycles.is_none(), cell.status) {
                (Some(vs), ..) => vs.verdict.word(),
                (None, true, Some(status)) => status.word(),
                _ => "",
            };
            let mut line = vec![
                record.file.clone(),
                heading::machine(&record.machine),
                diff.sequence.clone(),
                row.variant.clone(),
                params(&row.params),
                diff.between.word().to_owned(),
                number(cycles.map(|cycles| cycles.estimate)),
                number(cycles.map(|cycles| cycles.low)),
                number(cycles.map(|cycles| cycles.high)),
                number(vs.map(|vs| vs.ratio)),
                number(vs.map(|vs| vs.low)),
                number(vs.map(|vs| vs.high)),
                word.to_owned(),
            ];
            for ratios in [&row.ratio_of_ratios, &row.direct] {
                let later = index.checked_sub(1).and_then(|later| ratios.get(later));
                line.extend(ratio_columns(later.and_then(Option::as_ref)));
            }
            line.push(number(cell.history.map(|history| history.word())));
            line.push(number(cell.history.map(|_| cell.does_less)));
            rows.push(line);
        }
    }
    written(&rows)
}

fn ratio_columns(ratio: Option<&Ratio>) -> [String; 4] {
    [
        number(ratio.map(|ratio| ratio.ratio)),
        number(ratio.map(|ratio| ratio.low)),
        number(ratio.map(|ratio| ratio.high)),
        number(ratio.map(|ratio| ratio.verdict.word())),
    ]
}
