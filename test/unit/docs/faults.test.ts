import assert from "node:assert/strict";
import { faults } from "../../cluster/faults";
import { textOf } from "./pages";

const table = textOf("docs/faults.md").split("\n## What status reports\n")[1]!.split("\n## ")[0]!;
const rows = table
    .split("\n")
    .filter((line) => /^\| [`a]/.test(line))
    .map((line) => line.split("|").map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)));

describe("what status reports of a fault", () => {
    it("is documented for every fault, and for no other", () => {
        const named = rows.flatMap(([, ours]) => ours!);
        const all = faults.map(({ name }) => name.replace(/^(bad-(flag|image)-).*/, "$1…"));
        assert.deepEqual(named.sort(), [...new Set(all)].sort());
    });

    it("is a finding of status, with a command", () => {
        const findings = textOf("docs/status.md").split("\n## Findings\n")[1]!;
        for (const [, ours, codes, commands] of rows) {
            assert.ok(codes!.length > 0 && commands!.length > 0, ours!.join());
            for (const code of codes!) assert.ok(findings.includes(`\`${code}\``), code);
        }
    });
});
