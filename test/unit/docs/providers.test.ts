import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { markdownTable } from "../../../dev/reference/markdown-table";
import { ownership as ofAws } from "../../../simulator/clouds/aws/ownership";
import { ownership as ofDigitalOcean } from "../../../simulator/clouds/digitalocean/ownership";
import type { Ownership } from "../../../simulator/clouds/shared/ownership";

const path = resolve(__dirname, "../../../docs/providers.md");
const start = "<!-- providers: kept by UPDATE_GOLDEN=1 -->\n";
const end = "<!-- end of providers -->";

function row(token: string, ownership: Ownership): string[] {
    const { replacedBy, sometimesReplacedBy = {}, shared = {}, omitted = {}, takes = "" } = ownership;
    const sometimes = Object.entries(sometimesReplacedBy).map(([input, { when }]) => `\`${input}\` if ${when}`);
    const others = [
        ...Object.entries(shared).map(([input, { with: whom, safe }]) => {
            return `\`${input}\`: ${whom} (${safe === "ignored" ? safe : safe.because})`;
        }),
        ...Object.entries(omitted).map(([property, why]) => `\`${property}\` is not set: ${why}`),
    ];
    const [, module, type] = /^\w+:(\w+)\/.*:(\w+)$/.exec(token)!;
    const name = module === "index" ? type! : `${module}.${type}`;
    return [
        `\`${name}\``,
        [...replacedBy.map((each) => `\`${each}\``), ...sometimes].join(", "),
        others.join("; "),
        takes,
    ];
}

describe("the page about providers", () => {
    it("has the tables that the simulators follow", () => {
        const tables = Object.entries({ AWS: ofAws, DigitalOcean: ofDigitalOcean }).map(([cloud, types]) => {
            const rows = Object.entries(types).map(([token, each]) => row(token, each));
            return `## ${cloud}\n\n${markdownTable(["Type", "Replaced by", "Others change", "Takes along"], rows)}\n`;
        });
        const expected = `\n${tables.join("\n")}\n`;
        const text = readFileSync(path, "utf8");
        const [before = "", rest = ""] = text.split(start);
        const [listed = "", after = ""] = rest.split(end);
        if (process.env.UPDATE_GOLDEN) writeFileSync(path, `${before}${start}${expected}${end}${after}`);
        else assert.equal(listed, expected);
    });
});
