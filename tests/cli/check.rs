//! Reading rules and laying them out.

use super::*;

#[test]
fn a_missing_file_ends_with_3_and_is_named() {
    for words in [
        &["run", "no.toml"][..],
        &["solve", "no.toml"],
        &["verify", "no.toml"],
        &["check", "no.rules"],
        &["check", "no.toml"],
        &["roll", "no.rules"],
        &["roll", "no.toml"],
        &["fmt", "no.rules"],
    ] {
        let ended = here(words);
        assert_eq!((ended.code, ended.out.as_str()), (Some(3), ""), "{words:?}");
        assert!(ended.err.contains(words[1]), "{words:?}: {}", ended.err);
        assert!(!ended.err.contains("fault in houserule"), "{}", ended.err);
    }
}

#[test]
fn a_check_of_several_files_speaks_of_each() {
    let ended = here(&["check", "no.rules", "neither.txt", "no.toml"]);
    assert_eq!(ended.code, Some(3));
    for name in ["no.rules", "neither.txt", "no.toml"] {
        assert!(ended.err.contains(name), "{name}: {}", ended.err);
    }
    assert!(ended.err.contains("3 mistakes"), "{}", ended.err);
}

#[test]
fn a_file_that_is_not_text_ends_with_3() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bytes.rules"), [0xff, 0xfe, 0x00, 0x80]).unwrap();
    for command in ["check", "fmt", "roll"] {
        let ended = run(folder.path(), &[command, "bytes.rules"]);
        assert_eq!(ended.code, Some(3), "{command}");
        assert!(ended.err.contains("bytes.rules"), "{command}: {}", ended.err);
    }
}

#[test]
fn a_new_folder_holds_rules_a_draft_and_a_question() {
    let folder = tempfile::tempdir().unwrap();
    let ended = run(folder.path(), &["new", "games/mine"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    for file in ["base.rules", "draft.rules", "scenario.toml"] {
        assert!(folder.path().join("games/mine").join(file).is_file(), "{file}");
    }
    let scenario = Path::new("games").join("mine").join("scenario.toml");
    assert!(ended.out.contains(&format!("houserule run {}", scenario.display())), "{}", ended.out);
}

#[test]
fn new_never_writes_over_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("mine")).unwrap();
    std::fs::write(folder.path().join("file"), "precious").unwrap();
    for name in ["mine", "file", "."] {
        let ended = run(folder.path(), &["new", name]);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{name}");
        assert!(ended.err.contains("there already"), "{}", ended.err);
    }
    let ended = run(folder.path(), &["new", "file/mine"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("`file` is a file, so that no folder can be made in it"), "{}", ended.err);
    assert_eq!(std::fs::read_dir(folder.path().join("mine")).unwrap().count(), 0);
    assert_eq!(std::fs::read_to_string(folder.path().join("file")).unwrap(), "precious");
}

#[test]
fn a_new_folder_has_no_mistake_and_no_warning() {
    let folder = fresh();
    let ended = run(folder.path(), &["check", "mine/base.rules", "mine/draft.rules", "mine/scenario.toml"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
}

/// The one block of a page that is marked as being in a language.
fn example(page: &str, language: &str) -> String {
    let text = std::fs::read_to_string(page).unwrap();
    let (_, after) = text.split_once(&format!("```{language}\n")).unwrap();
    after.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_draft_in_the_readme_goes_with_the_black_powder_rules() {
    let folder = tempfile::tempdir().unwrap();
    let base = "black-powder.rules";
    std::fs::copy(Path::new("scenarios/black-powder").join(base), folder.path().join(base)).unwrap();
    std::fs::write(folder.path().join("draft.rules"), example("README.md", "rules")).unwrap();
    let ended = run(folder.path(), &["check", "draft.rules"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    let laid_out = run(folder.path(), &["fmt", "--check", "draft.rules"]);
    assert_eq!((laid_out.code, laid_out.out.as_str()), (Some(0), ""));
}

#[test]
fn every_mistake_is_shown_with_its_place_and_counted() {
    let folder = fresh();
    let draft = folder.path().join("mine/draft.rules");
    let text = std::fs::read_to_string(&draft).unwrap();
    std::fs::write(&draft, text.replace("if cover ", "if covr ").replace("(losses - 1)", "(loses - 1)"))
        .unwrap();
    let ended = run(folder.path(), &["check", "mine/draft.rules"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(3), ""));
    assert!(ended.err.contains("mine/draft.rules:13:13"), "{}", ended.err);
    assert!(ended.err.contains("did you mean `losses`?"), "{}", ended.err);
    assert!(ended.err.contains("did you mean `cover`?"), "{}", ended.err);
    assert!(ended.err.contains("2 mistakes in 1 file"), "{}", ended.err);
    assert!(!ended.err.contains('\u{1b}'), "colours in a pipe");
}

#[test]
fn a_new_folder_is_laid_out_already() {
    let folder = fresh();
    let ended = run(folder.path(), &["fmt", "--check", "mine/base.rules", "mine/draft.rules"]);
    assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (Some(0), "", ""));
}

#[test]
fn a_check_of_the_layout_names_the_file_and_leaves_it_and_fmt_puts_it_right() {
    let folder = fresh();
    let base = folder.path().join("mine/base.rules");
    let tidy = std::fs::read_to_string(&base).unwrap();
    let untidy = tidy.replace(" | ", "|").replace("\n    ", "\n ");
    std::fs::write(&base, &untidy).unwrap();

    let check = run(folder.path(), &["fmt", "--check", "mine/draft.rules", "mine/base.rules"]);
    assert_eq!((check.code, check.out.as_str()), (Some(3), "mine/base.rules would change\n"));
    assert_eq!(std::fs::read_to_string(&base).unwrap(), untidy);

    let layout = run(folder.path(), &["fmt", "mine/draft.rules", "mine/base.rules"]);
    assert_eq!((layout.code, layout.out.as_str()), (Some(0), "mine/base.rules laid out anew\n"));
    assert_eq!(std::fs::read_to_string(&base).unwrap(), tidy);
}

#[test]
fn fmt_leaves_a_file_with_a_mistake_as_it_is_and_lays_out_the_others() {
    let folder = fresh();
    let (base, wrong) = (folder.path().join("mine/base.rules"), folder.path().join("mine/wrong.rules"));
    let tidy = std::fs::read_to_string(&base).unwrap();
    std::fs::write(&base, tidy.replace("\n    ", "\n ")).unwrap();
    std::fs::write(&wrong, "ruleset \"x\"\nchart {\n").unwrap();
    let ended = run(folder.path(), &["fmt", "mine/wrong.rules", "mine/base.rules"]);
    assert_eq!(ended.code, Some(3));
    assert!(ended.err.contains("wrong.rules:2:"), "{}", ended.err);
    assert_eq!(std::fs::read_to_string(&wrong).unwrap(), "ruleset \"x\"\nchart {\n");
    assert_eq!(std::fs::read_to_string(&base).unwrap(), tidy);
}
