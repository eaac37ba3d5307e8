//! The nearest of some known words, for "did you mean".

/// The known word with the fewest edits from `word`, if those are few for its length.
pub(crate) fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    // Longer texts are no misspelt words, and the distance takes time by the square.
    if word.len() > 40 {
        return None;
    }
    known
        .iter()
        .map(|&candidate| (distance(word, candidate), candidate))
        .min_by_key(|&(edits, _)| edits)
        .filter(|&(edits, candidate)| edits <= 1.max(word.len().min(candidate.len()) / 3))
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours between two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut before = vec![0; b.len() + 1];
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for (i, &left) in a.iter().enumerate() {
        let mut current = vec![i + 1; b.len() + 1];
        for (j, &right) in b.iter().enumerate() {
            let replaced = previous[j] + usize::from(left != right);
            current[j + 1] = replaced.min(previous[j + 1] + 1).min(current[j] + 1);
            if i > 0 && j > 0 && left == b[j - 1] && a[i - 1] == right {
                current[j + 1] = current[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut previous, current);
    }
    previous[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_words() {
        let known = ["title", "about", "variant", "body"];
        assert_eq!(nearest("varaint", &known), Some("variant"));
        assert_eq!(nearest("titel", &known), Some("title"));
        assert_eq!(nearest("bdy", &known), Some("body"));
        assert_eq!(nearest("zebra", &known), None);
    }
}
