import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { metIn, table, unrecordedIn, withMet } from "../../../dev/test/met";
import { behaviours } from "../../../simulator/clouds/shared/behaviours";

const tests = resolve(__dirname, "../..");
const path = resolve(__dirname, "../../../docs/hostile-clouds.md");
const start = "<!-- behaviours: kept by UPDATE_GOLDEN=1 -->\n";
const end = "<!-- end of behaviours -->";

/** Files that create a simulated account. */
const isCloudTest =
    /PaperStack\.(create|recorded)|new SimulatedCluster\(|simulated(Aws|DigitalOcean)\.open|accountOf\(join|of\.open\(/;

const cloudTests = ["engine", "cluster"].flatMap((tier) =>
    readdirSync(join(tests, tier), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".test.ts"))
        .filter((file) => isCloudTest.test(readFileSync(join(tests, tier, file), "utf8")))
        .map((file) => `${tier}/${file.replace(/\.test\.ts$/, "")}`),
);

/** Our stacks never run into these; unit tests of the simulator do. */
const avoided = ["no stop", "late policy", "project in use"];

describe("the table of hostile behaviours", () => {
    it("lists what the simulators do", () => {
        const rows = Object.entries(behaviours).map(([name, { cloud, what }]) => [name, cloud, what]);
        const expected = `\n${table([["Behaviour", "Cloud", "What happens"], ...rows])}\n`;
        const text = readFileSync(path, "utf8");
        const [before = "", rest = ""] = text.split(start);
        const [listed = "", after = ""] = rest.split(end);
        if (process.env.UPDATE_GOLDEN) writeFileSync(path, `${before}${start}${expected}${end}${after}`);
        else assert.equal(listed, expected);
    });

    it("has a row for every test of a simulated cloud, and for no other", () => {
        const text = readFileSync(path, "utf8");
        const rows = metIn(text);
        const missing = cloudTests.filter((test) => !rows.has(test));
        if (process.env.UPDATE_GOLDEN) {
            const kept = new Map([...rows].filter(([test]) => existsSync(join(tests, `${test}.test.ts`))));
            writeFileSync(path, withMet(text, kept, [...unrecordedIn(text), ...missing]));
            return;
        }
        assert.deepEqual(missing, [], "UPDATE_GOLDEN=1 adds them");
        assert.deepEqual(
            [...rows.keys()].filter((test) => !existsSync(join(tests, `${test}.test.ts`))),
            [],
        );
    });

    it("names only known behaviours, and a test for each of them once every test has run", () => {
        const text = readFileSync(path, "utf8");
        const named = new Set([...metIn(text).values()].flat());
        assert.deepEqual(
            [...named].filter((name) => !Object.hasOwn(behaviours, name)),
            [],
        );
        if (unrecordedIn(text).length > 0) return;
        assert.deepEqual(
            Object.keys(behaviours).filter((name) => !named.has(name) && !avoided.includes(name)),
            [],
        );
    });
});
