// Looks at HTML reports in a real browser: check.js PLAYWRIGHT FOLDER [PICTURES].  Prints PASS and FAIL lines.
const { chromium } = require(process.argv[2]);
const folder = process.argv[3], pictures = process.argv[4];
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

async function main() {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: flags });
  const expect = (name, ok, why) => console.log(ok ? "PASS html/" + name : `FAIL html/${name}: ${why}`);
  const open = async (file, size, scheme) => {
    const page = await browser.newPage({ viewport: size || { width: 1280, height: 800 }, colorScheme: scheme || "light" });
    page.problems = [];
    page.on("console", m => page.problems.push(m.text()));
    page.on("pageerror", e => page.problems.push(e.message));
    page.on("request", r => { if (!r.url().startsWith("file:") && !r.url().startsWith("data:")) page.problems.push("asks the network: " + r.url()); });
    await page.goto("file://" + folder + "/" + file);
    return page;
  };
  const close = async (name, page) => {
    expect(name + "_quiet", page.problems.length === 0, page.problems.join("; "));
    if (pictures) await page.screenshot({ path: pictures + "/" + name + ".png" });
    await page.close();
  };
  const text = (page, selector) => page.locator(selector).innerText();

  let page = await open("lost_update.html");
  expect("title", /assertion.*balance == 30/.test(await text(page, "#title")), await text(page, "#title"));
  expect("story", /T1 reads balance = 0 .*then T2 writes balance = 20/.test(await text(page, "#story")), await text(page, "#story"));
  expect("columns", await page.locator("#columns > div").count() === 4, "not a column for each thread");
  expect("failure_selected", /Step 11 of 11/i.test(await text(page, "#details")), await text(page, "#details"));
  expect("source", /assert\(balance == 30\)/.test(await text(page, "pre.source .here")), "the line of the failure is not shown");
  expect("arrow", await page.locator("svg.arrows g path").count() > 0, "no happens-before arrow");
  expect("minimized", /simplified to 1 preemption( \(found with \d+\))?.*; no failing schedule has fewer preemptions/.test(await text(page, "#lead")), await text(page, "#lead"));
  expect("certain", /After step 6, T2 reads balance = 0 .*the failure is unavoidable/.test(await text(page, "#certain")), await text(page, "#lead"));
  await page.click("#certain button");
  expect("inflection", page.url().endsWith("#1.6") && /After this step the failure is unavoidable/.test(await text(page, "#details")), await text(page, "#details"));
  expect("inflection_marked", /read balance = 0/.test(await text(page, ".row.point")), "no line below the step");
  expect("races_marked", await page.locator(".row.race").count() >= 3, "racing steps are not marked");
  await page.goto("file://" + folder + "/lost_update.html#1.4");
  expect("races_with", /Races with\s+step 7: T2 deposit write balance = 20/i.test(await text(page, "#details")), await text(page, "#details"));
  expect("race_line", await page.locator("svg.arrows path.race").count() === 1, "no line between them");
  await page.click("#races summary");
  expect("race_list", /harmful race on balance: T1 writes in deposit, lost_update.c:14; T2 reads/.test(await text(page, "#races")), await text(page, "#races"));
  await page.keyboard.press("f");
  await page.keyboard.press("Home");
  expect("home", page.url().endsWith("#1.1"), page.url());
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  expect("forward", page.url().endsWith("#1.3"), page.url());
  await page.keyboard.press("k");
  expect("back", page.url().endsWith("#1.2"), page.url());
  await page.keyboard.press("n");
  expect("next_switch", page.url().endsWith("#1.3"), page.url());
  await page.keyboard.press("/");
  await page.keyboard.type("write balance");
  expect("search", /^2 of 11/.test(await text(page, "#hits")), await text(page, "#hits"));
  await page.keyboard.press("Escape");
  await page.fill("#search", "");
  await page.selectOption("#thread", "2");
  expect("thread_filter", /^3 of 11/.test(await text(page, "#hits")), await text(page, "#hits"));
  await page.selectOption("#thread", "");
  await page.goto("file://" + folder + "/lost_update.html#1.7");
  await page.reload();
  expect("link", /Step 7 of 11/i.test(await text(page, "#details")), await text(page, "#details"));
  expect("value", /write balance = 20/.test(await text(page, "#details")), await text(page, "#details"));
  expect("legend", /races with another step/.test(await text(page, "#legend")), "no legend");
  const cut = () => page.evaluate(() => [...document.querySelectorAll(".row .cell")].filter(c => c.scrollWidth > c.clientWidth).map(c => c.textContent));
  expect("nothing_cut", (await cut()).length === 0, (await cut()).join("; "));
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, select, input, [tabindex]")].filter(e =>
    !(e.getAttribute("aria-label") || e.ariaLabel || e.innerText || e.title || (e.labels && e.labels.length))).map(e => e.outerHTML.slice(0, 80)));
  expect("accessible_names", nameless.length === 0, nameless.join(" "));
  await close("light", page);

  page = await open("lost_update.html", null, "dark");
  expect("dark", await page.evaluate(() => getComputedStyle(document.body).backgroundColor) === "rgb(21, 24, 28)", "not dark");
  await close("dark", page);

  page = await open("flags.html");
  expect("weak_story", /T1 reads flag\[1\] = 0 .*: T2's flag\[1\] = 1 .* is still in T2's store buffer/.test(await text(page, "#story")), await text(page, "#story"));
  expect("weak_fences", /Repair: a full fence/.test(await text(page, "#repair")), await text(page, "#lead"));
  const tags = await page.locator(".row .tag").allInnerTexts();
  expect("weak_tags", ["late", "old", "memory"].every(t => tags.includes(t)), tags.join(" "));
  await page.locator(".row", { hasText: "old" }).last().click();
  expect("weak_details", /is still in its store buffer[^]*Store buffer\s+step \d+: T1 enter write inside = 0 \(in its store buffer to the end\)/i.test(await text(page, "#details")), await text(page, "#details"));
  await page.click("#expand");
  expect("weak_every_step", (await page.locator(".row .tag").allInnerTexts()).filter(t => t === "memory").length > tags.filter(t => t === "memory").length, "no more steps");
  await close("weak", page);

  page = await open("philosophers.html");
  expect("cycle", /T1 → T2 → T3 → T4 → T1/.test(await text(page, "#lead")), await text(page, "#lead"));
  await page.keyboard.press("Home");
  for (let i = 0; i < 4; i++) await page.keyboard.press("j");
  expect("cycle_marked", (await page.locator(".row.cycle").allInnerTexts()).filter(t => /waits for mutex fork_of/.test(t)).length === 4,
    (await page.locator(".row.cycle").allInnerTexts()).join("; "));
  expect("locks_held", /Locks held\s+mutex fork_of\[0\]/i.test(await text(page, "#details")), await text(page, "#details"));
  expect("why_switched", /was preempted/.test(await text(page, "#details")), await text(page, "#details"));
  await close("deadlock", page);

  page = await open("philosophers.html", { width: 390, height: 800 });
  expect("phone", await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "wider than the screen");
  const lefts = await page.evaluate(() => new Set([...document.querySelectorAll(".row .cell")].map(c => c.style.left)).size);
  expect("phone_one_column", lefts === 1, lefts + " columns");
  await close("phone", page);

  page = await open("long.html");
  await page.click("#expand");
  await page.keyboard.press("Home");
  for (let i = 0; i < 50; i++) await page.keyboard.press("j");
  expect("long_step", page.url().endsWith("#1.51"), page.url());
  await page.evaluate(() => { document.getElementById("timeline").scrollTop = 100000; });
  await page.waitForTimeout(100);
  const rows = await page.locator(".row").count();
  expect("long_rows", rows > 10 && rows < 200, rows + " rows are in the page");
  expect("long_all", /of (99|10)\d\d/i.test(await text(page, "#details")), await text(page, "#details"));
  await close("long", page);

  page = await open("safe.html");
  expect("safe", /every behaviour explored/.test(await text(page, "#title")), await text(page, "#title"));
  expect("safe_no_panes", await page.locator("#bar:visible, #main:visible, #legend:visible").count() === 0, "empty panes");
  expect("safe_covered", /Checked: deadlock[^]*Preemption points: thread operations/.test(await text(page, "#scope")), "it does not say what was covered");
  await close("safe", page);
  await browser.close();
}
main().catch(e => { console.log("FAIL html/browser: " + e.message.split("\n")[0]); process.exit(1); });
