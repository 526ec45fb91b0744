//! Variants: their rules, and where their trials start.

use super::measure;
use super::place::{allowed, factor_names, factors_named, no_such_value, one_line};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources};
use crate::rules::{self, Ruleset, TestId};
use crate::scenario::document::{Document, Setting, VariantText};
use crate::scenario::model::{Scenario, Variant};
use crate::scenario::tree::Placed;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A variant as far as it is known before the grid.
pub(super) struct Start {
    name: String,
    rules: Arc<Ruleset>,
    file: PathBuf,
    entry: TestId,
    /// What `with`, or else the default, makes of each factor.
    pub(super) values: Vec<Option<i32>>,
}

/// The rules of all variants; `None` if any cannot be played at all.
pub(super) fn load(
    document: &Document,
    path: &Path,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<Vec<Start>> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut starts = Vec::new();
    for variant in &document.variants {
        let rules = variant.rules.as_ref().and_then(|file| read(file, folder, sources, found));
        let file = variant.rules.as_ref().map(|file| folder.join(&file.value)).unwrap_or_default();
        starts.push(rules.and_then(|rules| start(document, variant, (rules, file), found)));
    }
    starts.into_iter().collect::<Option<Vec<_>>>().filter(|starts| !starts.is_empty())
}

fn read(
    file: &Placed<String>,
    folder: &Path,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<Arc<Ruleset>> {
    let mut wrong = Diagnostics::default();
    let rules = rules::load(&folder.join(&file.value), sources, &mut wrong).map(Arc::new);
    for mut diagnostic in wrong {
        if diagnostic.labels.is_empty() {
            diagnostic.labels.push((file.span, "named here".to_owned()));
        }
        found.push(diagnostic);
    }
    rules
}

fn start(
    document: &Document,
    variant: &VariantText,
    (rules, file): (Arc<Ruleset>, PathBuf),
    found: &mut Diagnostics,
) -> Option<Start> {
    let mut values: Vec<Option<i32>> = rules.factors.iter().map(|factor| factor.default).collect();
    set(&rules, &variant.with, &mut values, found);
    let entry = entry(document.test.as_ref()?, variant, &rules, found)?;
    Some(Start { name: variant.name.value.clone(), rules, file, entry, values })
}

/// Puts settings over values.
pub(super) fn set(
    rules: &Ruleset,
    settings: &[Setting],
    values: &mut [Option<i32>],
    found: &mut Diagnostics,
) {
    for Setting { factor: name, value } in settings {
        let ids = factors_named(rules, &name.value);
        let Some(first) = ids.first() else {
            let message = format!("`{}` is not a factor of these rules", name.value);
            let diagnostic = Diagnostic::error(name.span, message, "not known");
            let known = factor_names(rules);
            found.push(diagnostic.did_you_mean(&name.value, known.iter().map(String::as_str)));
            continue;
        };
        let factor = &rules.factors[first.0];
        match allowed(rules, factor, &value.value) {
            Some(value) => ids.iter().for_each(|id| values[id.0] = Some(value)),
            None => found.push(no_such_value(rules, factor, value, "")),
        }
    }
}

fn entry(
    test: &Placed<String>,
    variant: &VariantText,
    rules: &Ruleset,
    found: &mut Diagnostics,
) -> Option<TestId> {
    let Some(id) = rules.test(&test.value) else {
        let diagnostic =
            Diagnostic::error(test.span, format!("there is no test called `{}`", test.value), "not known")
                .also(variant.name.span, "not in these rules");
        found.push(diagnostic.did_you_mean(&test.value, rules.entries()));
        return None;
    };
    if let Some(parameter) = rules.tests[id.0].parameters.first() {
        let message =
            format!("`{}` needs `{}` from its caller: no trial can start there", test.value, parameter.name);
        let diagnostic = Diagnostic::error(test.span, message, "a test with parameters");
        found.push(diagnostic.did_you_mean(&test.value, rules.entries()));
        return None;
    }
    Some(id)
}

/// The scenario as far as it is known without grid, policy and claims.
pub(super) fn scenario(
    document: &Document,
    path: &Path,
    starts: &[Start],
    found: &mut Diagnostics,
) -> Option<Scenario> {
    let baseline = baseline(document, found)?;
    let test = document.test.as_ref()?;
    let variants: Vec<Variant> = starts.iter().map(variant).collect();
    let measures = measure::measures(test, baseline, &variants, found)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Some(Scenario {
        title: document.title.as_ref().map_or_else(|| stem.clone(), |title| one_line(&title.value)),
        stem,
        folder: folder_name(path),
        test: test.value.clone(),
        trials: document.trials,
        precision: document.precision,
        most_trials: document.most_trials,
        seed: document.seed,
        baseline,
        variants,
        factors: Vec::new(),
        situations: Vec::new(),
        measures,
        joint: Vec::new(),
        paired: document.paired,
        claims: Vec::new(),
        expects: Vec::new(),
        charts: Vec::new(),
        pictures: document.pictures,
        tune: None,
        notes: Vec::new(),
    })
}

/// The name of the folder in which a file stands.
fn folder_name(path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let whole = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    whole.file_name().map_or_else(|| "scenarios".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn baseline(document: &Document, found: &mut Diagnostics) -> Option<usize> {
    let Some(name) = &document.baseline else { return Some(0) };
    let at = document.variants.iter().position(|variant| variant.name.value == name.value);
    if at.is_none() {
        let message = format!("the baseline `{}` is not among the variants", name.value);
        let known = document.variants.iter().map(|variant| variant.name.value.as_str());
        found.push(Diagnostic::error(name.span, message, "not known").did_you_mean(&name.value, known));
    }
    at
}

fn variant(start: &Start) -> Variant {
    let factors = start.rules.factors.iter().zip(&start.values);
    // A factor without a value here is set by the grid, or never read, or complained of later.
    let base = factors.map(|(factor, value)| value.or(factor.values.first().copied()).unwrap_or(0)).collect();
    Variant {
        name: start.name.clone(),
        rules: Arc::clone(&start.rules),
        file: start.file.clone(),
        entry: start.entry,
        base,
        moves: vec![None; start.rules.choices.len()],
    }
}
