//! Checks as a JUnit file, which most CI systems show as tests.
//!
//! In: checks. Out: XML, the same bytes for the same run: no times.
//!
//! **Never:** what a check means. The only file that knows the crate which writes XML.

use super::Where;
use crate::analyse::Ruling;
use crate::report::checks::{Check, Sort};
use crate::scenario::Scenario;
use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};

/// A JUnit file with a suite for each sort of check and a test for each check. What is undecided has failed, by
/// the type `undecided`.
///
/// # Errors
/// What the crate refuses to write; nothing that a check can hold.
pub fn junit(scenario: &Scenario, checks: &[Check], place: Where) -> Result<String, SerializeError> {
    let mut report = Report::new(format!("houserule {}/{}", scenario.folder, scenario.stem));
    for sort in Sort::ALL {
        let cases =
            checks.iter().filter(|check| check.sort == sort).map(|check| case(scenario, check, place));
        let mut suite = TestSuite::new(sort.label());
        suite.add_test_cases(cases);
        if suite.tests > 0 {
            report.add_test_suite(suite);
        }
    }
    report.to_string()
}

/// Without two characters that no XML may hold and the crate lets pass.
fn fit(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

fn case(scenario: &Scenario, check: &Check, place: Where) -> TestCase {
    let mut status = match check.ruling {
        Ruling::Holds => TestCaseStatus::success(),
        Ruling::Undecided | Ruling::Fails => TestCaseStatus::non_success(NonSuccessKind::Failure),
    };
    let text = fit(&check.text);
    status.set_message(text.lines().next().unwrap_or_default());
    status.set_type(if check.ruling == Ruling::Undecided { "undecided" } else { check.sort.label() });
    status.set_description(text);
    let mut case = TestCase::new(fit(&check.name), status);
    case.set_classname(format!("{}.{}", scenario.folder, scenario.stem));
    if let Some((file, line)) = check.place.map(place) {
        case.extra.insert("file".into(), file.into());
        case.extra.insert("line".into(), line.to_string().into());
    }
    case
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests as example;
    use crate::rules::Span;

    fn check(sort: Sort, ruling: Ruling, name: &str) -> Check {
        let text = "P(break) < 50 % & \"more\"\nsecond line\u{1b}[0m\u{ffff}]]>".to_owned();
        Check { sort, name: name.to_owned(), ruling, text, place: Some(Span::default()) }
    }

    #[test]
    fn each_check_is_a_test_in_the_suite_of_its_sort() {
        let checks = [
            check(Sort::Claim, Ruling::Holds, "1. <b> & 'c'"),
            check(Sort::Claim, Ruling::Fails, "2. no"),
            check(Sort::Claim, Ruling::Undecided, "3. perhaps"),
            check(Sort::Simulator, Ruling::Holds, "agrees"),
        ];
        let xml = junit(&example::scenario(), &checks, &|_| ("a \"b\".toml".to_owned(), 7)).unwrap();
        let read = Report::deserialize_from_str(&xml).unwrap();
        assert_eq!((read.tests, read.failures, read.errors), (4, 2, 0));
        let suites: Vec<_> =
            read.test_suites.iter().map(|suite| (suite.name.as_str(), suite.tests)).collect();
        assert_eq!(suites, [("claim", 3), ("simulator", 1)]);
        let [holds, fails, undecided] = read.test_suites[0].test_cases.as_slice() else {
            panic!("three claims")
        };
        assert_eq!(holds.name.as_str(), "1. <b> & 'c'");
        assert_eq!(holds.classname.as_ref().unwrap().as_str(), "black-powder.break-test");
        assert_eq!((holds.extra["file"].as_str(), holds.extra["line"].as_str()), ("a \"b\".toml", "7"));
        assert!(matches!(holds.status, TestCaseStatus::Success { .. }));
        let said = |case: &TestCase| match &case.status {
            TestCaseStatus::NonSuccess { message, ty, description, .. } => {
                [message, ty, description].map(|text| text.as_ref().unwrap().to_string())
            }
            other => panic!("{other:?}"),
        };
        let [message, ty, description] = said(fails);
        assert_eq!((message.as_str(), ty.as_str()), ("P(break) < 50 % & \"more\"", "claim"));
        assert!(description.starts_with("P(break) < 50 % & \"more\"\nsecond line"), "{description}");
        assert_eq!(said(undecided)[1], "undecided");
    }

    #[test]
    fn a_run_without_checks_is_an_empty_report_and_no_file_depends_on_the_clock() {
        let write = || junit(&example::scenario(), &[], &|_| (String::new(), 0)).unwrap();
        assert_eq!(Report::deserialize_from_str(&write()).unwrap().tests, 0);
        assert_eq!(write(), write());
        assert!(!write().contains("time"), "{}", write());
    }
}
