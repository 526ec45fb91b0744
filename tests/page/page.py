"""report.html in a real browser: nothing asked of the network, readable without its script, tables that sort and filter,
charts that are read by keyboard, no accidental scroll, contrast, print.

    python tests/page/page.py --houserule target/debug/houserule --chromium /usr/bin/chromium --keep target/page-screenshots

Expected figures come from the CSV files beside the page, never from the page.
"""

import argparse
import csv
import fractions
import pathlib
import subprocess
import sys
import tempfile
import unittest

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDTHS = (360, 768, 1280)
SIZE = 2_000_000  # bytes
ROWS = 2_500  # of a table, at most

# A name, the scenario, and what its page is here for.
SHIPPED = [
    ("break-test", "scenarios/black-powder/break-test.toml"),  # the whole of it
    ("attrition", "scenarios/black-powder/attrition.toml"),  # numbers; more rows than have room
    ("odds", "scenarios/ninth-age/odds.toml"),  # one variant
    ("penalties", "scenarios/black-powder/penalties.toml"),  # no claims
    ("readings", "scenarios/portable-wargame/readings.toml"),  # several variants
]

LONG = "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichenfabrikationsmeisterpruefung"
EVIL = "<script>window.harmed = 1</script><img src=x onerror='window.harmed = 1'> & </style>"

RULES = f"""ruleset "Many <b>rows</b>"
source "{EVIL}"
note "{EVIL} {LONG}"

outcome fate {{
    good  "{EVIL}"
    bad   "{LONG}"
}}

factor arm: foot | horse = foot  "{LONG}"
factor depth: 0..29 = 0          "Depth {EVIL}"
factor lost: 0..29 = 0           "Lost"

modifiers changes {{
    -1 if arm is horse  "{EVIL}"
    -1 per lost         "lost"
}}

test stand -> fate {{ return good if d6 + depth + changes >= 4 else bad }}
"""

DRAFT = """ruleset "A draft"
extends "many.rules"

override modifiers changes {
    -2 per lost  "lost"
}
"""

SCENARIO = f"""title    = "{EVIL} {LONG}"
test     = "stand"
trials   = 100
seed     = 1
baseline = "old"

[variants]
old = "many.rules"
new = "draft.rules"

[grid]
arm   = ["foot", "horse"]
depth = "0..29"
lost  = "0..29"

[[claim]]
text  = "{EVIL}"
where = "lost is 1"
holds = "P(bad) in new > P(bad) in old"
"""


def write_pages(program, folder):
    """Runs every scenario with few trials; gives the folder of each by its name."""
    (folder / "many.rules").write_text(RULES)
    (folder / "draft.rules").write_text(DRAFT)
    (folder / "many.toml").write_text(SCENARIO)
    pages = {}
    for name, scenario in [*SHIPPED, ("many", folder / "many.toml")]:
        out = folder / name
        command = [program, "run", scenario, "--trials", "1000", "--out", out, "--quiet"]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        # With so few trials an expected value may be missed by chance; the page is written all the same.
        if not (out / "report.html").exists():
            sys.exit(f"{scenario}: {run.stderr}")
        pages[name] = out
    return pages


def records(folder, name):
    with open(folder / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


class Page(unittest.TestCase):
    """One browser for all tests, a fresh page for each."""

    options = None
    browser = None
    pages = {}

    def open(self, name, width=1280, scheme="light", script=True):
        """A page with all that it asked for and complained about."""
        context = self.browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script
        )
        self.addCleanup(context.close)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.asked, page.complaints = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto((self.pages[name] / "report.html").as_uri())
        return page

    def column(self, table, heading):
        """The position of a column, from 0."""
        headings = [text.strip() for text in table.locator("thead th").all_inner_texts()]
        # the arrow of a heading is drawn by the style sheet
        return next(at for at, text in enumerate(headings) if text.startswith(heading))

    def texts(self, table, shown_only=True):
        """The cells of all rows, or of those that are shown."""
        return table.evaluate(
            "(table, shown) => [...table.tBodies[0].rows].filter((row) => !shown || !row.hidden)"
            ".map((row) => [...row.cells].map((cell) => cell.textContent.trim()))",
            shown_only,
        )


class Every(Page):
    """What holds for the page of every scenario."""

    def test_it_asks_for_nothing_and_complains_of_nothing(self):
        for name in self.pages:
            with self.subTest(name):
                page = self.open(name)
                self.assertEqual(page.asked, [(self.pages[name] / "report.html").as_uri()])
                self.assertEqual(page.complaints, [])

    def test_it_is_one_file_of_less_than_two_megabytes(self):
        for name in self.pages:
            with self.subTest(name):
                self.assertLess((self.pages[name] / "report.html").stat().st_size, SIZE)

    def test_no_width_makes_it_scroll_sideways(self):
        for name in self.pages:
            for script in (True, False):
                page = self.open(name, width=WIDTHS[0], script=script)
                for width in WIDTHS:
                    with self.subTest(f"{name}, {width}, script: {script}"):
                        page.set_viewport_size({"width": width, "height": 900})
                        beyond = page.evaluate("document.documentElement.scrollWidth")
                        self.assertLessEqual(beyond, width)

    def test_it_has_no_fault_that_axe_knows_in_light_and_dark(self):
        for name in self.pages:
            for scheme in ("light", "dark"):
                with self.subTest(f"{name}, {scheme}"):
                    page = self.open(name, scheme=scheme)
                    # A table of thousands of rows is looked at by its first ones, which are all alike.
                    page.evaluate(
                        "document.querySelectorAll('.sheet tbody tr:nth-child(n + 21)').forEach((row) => row.remove())"
                    )
                    found = Axe().run(page)
                    faults = [
                        f"{fault['id']}: {fault['nodes'][0]['html'][:200]} {fault['nodes'][0].get('failureSummary', '')}"
                        for fault in found.response["violations"]
                    ]
                    self.assertEqual(faults, [])

    def test_headings_stand_in_order(self):
        for name in self.pages:
            with self.subTest(name):
                levels = self.open(name).evaluate(
                    "[...document.querySelectorAll('h1, h2, h3, h4')].map((one) => Number(one.tagName[1]))"
                )
                self.assertEqual(levels[0], 1)
                self.assertEqual(levels.count(1), 1)
                self.assertTrue(all(next <= one + 1 for one, next in zip(levels, levels[1:])), levels)

    def test_what_has_no_room_is_said(self):
        for name, folder in self.pages.items():
            page = self.open(name)
            for sheet in page.locator(".sheet").all():
                file = sheet.get_attribute("id")
                with self.subTest(f"{name}, {file}"):
                    all_rows = len(records(folder, file))
                    shown = sheet.locator("tbody tr").count()
                    self.assertEqual(shown, min(all_rows, ROWS))
                    about = sheet.locator(".about").inner_text()
                    self.assertEqual(f"of {all_rows:,}; all of them are in {file}.csv" in about, shown < all_rows)


class BreakTest(Page):
    """The page that has everything."""

    def test_all_of_it_can_be_read_without_the_script(self):
        page = self.open("break-test", script=False)
        text = page.locator("main").inner_text()
        for words in ["The largest differences", "Holds. The claim", "How to do it again", "Chart break_chart"]:
            self.assertIn(words, text)
        self.assertIn("Break tests: original Black Powder", page.locator("h1").inner_text())
        self.assertEqual(page.locator("#claims .verdict.holds").count(), 2)
        charts = len(list((self.pages["break-test"] / "charts").glob("*.svg")))
        drawn = [svg for svg in page.locator(".on-wide svg").all() if svg.bounding_box()["height"] > 100]
        self.assertEqual(len(drawn), charts)
        self.assertEqual(page.locator("#results tbody tr").count(), 2_400)
        self.assertTrue(page.locator("#results table").is_visible())
        # what only a script can do is not offered
        self.assertEqual([one for one in page.locator(".script, .readout").all() if one.is_visible()], [])

    def test_figures_are_those_of_results_csv(self):
        page = self.open("break-test", script=False)
        table = page.locator("#results table")
        headings = ("Exact, %", "Sampled, %", "Trials with it")
        exact, percent, with_it = (self.column(table, heading) for heading in headings)
        for row, record in zip(self.texts(table), records(self.pages["break-test"], "results"), strict=True):
            self.assertEqual(row[0], record["variant"])
            self.assertEqual(row[with_it].replace(",", ""), record["count"])
            self.assertAlmostEqual(float(row[percent]), float(record["probability"]) * 100, delta=0.00501)
            share = fractions.Fraction(record["exact"])
            shown = row[exact].partition(" ")[0].strip("<>")
            self.assertAlmostEqual(float(shown), float(share) * 100, delta=0.01)
            self.assertEqual(row[exact].endswith(f" ({share})"), share.denominator > 1)

    def test_differences_are_those_of_comparison_csv(self):
        page = self.open("break-test", script=False)
        table = page.locator("#comparison table")
        points = self.column(table, "Sampled difference")
        for row, record in zip(self.texts(table), records(self.pages["break-test"], "comparison"), strict=True):
            self.assertAlmostEqual(float(row[points]), float(record["difference_pp"]), delta=0.00501)

    def test_a_heading_sorts_by_pointer_and_by_key(self):
        page = self.open("break-test")
        table = page.locator("#results table")
        at = self.column(table, "Sampled, %")
        heading = table.locator("thead th").nth(at)
        figures = lambda: [float(row[at].strip("<>")) for row in self.texts(table)]
        heading.locator("button").click()
        self.assertEqual(heading.get_attribute("aria-sort"), "ascending")
        self.assertEqual(figures(), sorted(figures()))
        page.keyboard.press("Enter")
        self.assertEqual(heading.get_attribute("aria-sort"), "descending")
        self.assertEqual(figures(), sorted(figures(), reverse=True))
        self.assertEqual(len(figures()), 2_400)
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Space")
        self.assertEqual(table.locator("[aria-sort]").count(), 1)
        # the exact ones, with their fractions
        exact = [float(row[at - 1].partition(" ")[0].strip("<>")) for row in self.texts(table)]
        self.assertEqual(exact, sorted(exact))

    def test_rows_are_filtered_by_words_and_by_column(self):
        page = self.open("break-test")
        sheet = page.locator("#results")
        table = sheet.locator("table")
        wanted = [
            record
            for record in records(self.pages["break-test"], "results")
            if record["troop"] == "cavalry" and record["outcome"] == "break" and record["variant"] == "modified"
        ]
        sheet.get_by_label("Any column has").focus()
        page.keyboard.type("modified cavalry")
        sheet.get_by_role("combobox", name="Result").select_option("Break")
        rows = self.texts(table)
        self.assertEqual(len(rows), len(wanted))
        self.assertEqual({row[1] for row in rows}, {"cavalry"})
        self.assertEqual(sheet.locator("[role=status]").inner_text(), f"{len(wanted)} of 2,400 rows fit.")
        sheet.get_by_role("button", name="Show all").click()
        page.wait_for_function("document.querySelector('#results [role=status]').textContent === '2,400 rows.'")
        self.assertEqual(len(self.texts(table)), 2_400)

    def test_arrow_keys_and_the_pointer_tell_a_chart_s_figures(self):
        for width in (360, 1280):
            page = self.open("break-test", width=width)
            for figure in page.locator("figure").all():
                drawing, readout = figure.locator(".drawing"), figure.locator(".readout")
                shown = ".on-phone" if width == 360 else ".on-wide"
                titles = figure.locator(f"{shown} .figures > * > title").all_text_contents()
                self.assertGreater(len(titles), 3)
                page.mouse.move(0, 0)  # scrolling would bring a chart under a pointer that rests
                drawing.focus()
                for key, title in [("ArrowRight", 0), ("ArrowDown", 1), ("ArrowLeft", 0), ("End", -1)]:
                    page.keyboard.press(key)
                    self.assertEqual(readout.text_content(), titles[title])
                page.keyboard.press("Escape")
                self.assertEqual(readout.text_content(), "")
                figure.locator(f"{shown} .figures > *").first.hover(force=True)
                self.assertIn(readout.text_content(), titles)
            self.assertEqual(page.locator(".readout").first.get_attribute("aria-live"), "polite")

    def test_colours_can_be_chosen_without_the_script(self):
        page = self.open("break-test", script=False)
        ground = lambda: page.evaluate("getComputedStyle(document.body).backgroundColor")
        self.assertEqual(ground(), "rgb(255, 255, 255)")
        page.locator("#theme-dark").check()
        self.assertEqual(ground(), "rgb(21, 26, 33)")
        chart = page.locator(".on-wide svg > rect").first
        self.assertEqual(chart.evaluate("(one) => getComputedStyle(one).fill"), "rgb(21, 26, 33)")

    def test_the_choice_of_colours_is_remembered(self):
        page = self.open("break-test")
        page.locator("#theme-dark").check()
        page.reload()
        self.assertTrue(page.locator("#theme-dark").is_checked())

    def test_paper_is_light_and_has_no_controls(self):
        page = self.open("break-test", scheme="dark")
        page.locator("#theme-dark").check()
        page.emulate_media(media="print")
        self.assertEqual(page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        for part in ["nav", ".theme", ".filter", ".readout"]:
            self.assertFalse(page.locator(part).first.is_visible(), part)
        self.assertTrue(page.locator("#results .on-paper").is_visible())
        rows = page.locator("#results tbody tr")
        self.assertTrue(rows.nth(59).is_visible())
        self.assertFalse(rows.nth(60).is_visible())

    def test_an_edge_behind_which_a_table_goes_on_is_in_shadow(self):
        page = self.open("break-test", width=360)
        box = page.locator("#results .scroll")
        box.scroll_into_view_if_needed()
        rows = [page.locator("#results " + row).first.bounding_box() for row in ("tbody tr", "thead tr")]
        outside = box.bounding_box()
        # strips at the right edge, at the top of the first row and of the headings, where no letters are
        edges = [
            {"x": outside["x"] + outside["width"] - 14, "y": row["y"] + 1, "width": 14, "height": 3} for row in rows
        ]
        seen = lambda: [page.screenshot(clip=edge) for edge in edges]
        with_more = seen()
        box.evaluate("(box) => { box.scrollLeft = 40; }")
        page.wait_for_function("document.querySelector('#results .scroll').style.getPropertyValue('--at') === '40px'")
        self.assertEqual(with_more, seen())
        box.evaluate("(box) => { box.scrollLeft = box.scrollWidth; }")
        page.wait_for_timeout(100)
        for before, after in zip(with_more, seen()):
            self.assertNotEqual(before, after)

    def test_the_first_key_skips_to_the_finding(self):
        page = self.open("break-test")
        page.keyboard.press("Tab")
        self.assertEqual(page.evaluate("document.activeElement.className"), "skip")
        page.keyboard.press("Enter")
        self.assertEqual(page.evaluate("document.activeElement.id"), "main")

    def test_changed_cells_of_the_rules_are_marked_by_more_than_colour(self):
        page = self.open("break-test")
        changed = page.locator("#rules td.changed")
        self.assertGreater(changed.count(), 0)
        self.assertEqual(page.locator("#rules td.changed .mark").count(), changed.count())
        # 7, cavalry, shooting: the baseline holds, the draft retreats
        row = page.locator("#rules tr", has_text="cavalry").filter(has=page.locator("th", has_text="7")).nth(1)
        self.assertIn("original: hold", row.locator("td").first.inner_text())


class Hostile(Page):
    """Labels that are no labels, and thousands of situations."""

    def test_what_users_write_does_no_harm(self):
        page = self.open("many")
        self.assertIsNone(page.evaluate("window.harmed ?? null"))
        self.assertEqual(page.locator("img").count(), 0)
        self.assertEqual(page.locator("script").count(), 1)
        self.assertIn("<script>", page.locator("h1").inner_text())

    def test_thousands_of_situations_are_still_sorted_and_filtered(self):
        page = self.open("many")
        table = page.locator("#results table")
        at = self.column(table, "Sampled, %")
        table.locator("thead th").nth(at).locator("button").click()
        self.assertEqual(len(self.texts(table)), ROWS)


class Pictures(Page):
    """Pictures to be looked at."""

    def test_screenshots_are_kept(self):
        keep = pathlib.Path(self.options.keep)
        keep.mkdir(parents=True, exist_ok=True)
        everything = [(width, scheme) for width in WIDTHS for scheme in ("light", "dark")]
        for name in self.pages:
            for width, scheme in everything if name == "break-test" else [(360, "light"), (1280, "dark")]:
                page = self.open(name, width=width, scheme=scheme)
                page.screenshot(path=keep / f"{name}-{width}-{scheme}.png", full_page=True)
            page = self.open(name)
            page.pdf(path=keep / f"{name}-print.pdf", format="A4")
            page.emulate_media(media="print")
            page.set_viewport_size({"width": 718, "height": 1000})
            page.screenshot(path=keep / f"{name}-print.png", full_page=True)
        print(f"screenshots: {keep}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--houserule", required=True, type=pathlib.Path)
    parser.add_argument("--chromium", required=True)
    parser.add_argument("--keep", required=True, help="the folder for screenshots")
    parser.add_argument("tests", nargs="*", help="only these, as in BreakTest.test_paper_is_light_and_has_no_controls")
    options = parser.parse_args()
    options.houserule = options.houserule.resolve()
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        Page.options, Page.pages = options, write_pages(options.houserule, pathlib.Path(folder))
        Page.browser = driver.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        found = unittest.main(argv=[sys.argv[0], *options.tests], exit=False)
        Page.browser.close()
    sys.exit(not found.result.wasSuccessful())


if __name__ == "__main__":
    main()
