import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import { program } from "../../../../cli/preview/command";
import { versions } from "../../../../versions";
import { assertShell } from "../../components/in-cluster/shell";

const text = readFileSync(resolve(__dirname, "../../../../examples/merge-request-preview.gitlab-ci.yml"), "utf8");
const { preview: job } = parse(text);

describe("the job for merge requests", () => {
    it("runs only for merge requests of the project itself", () => {
        assert.equal(job.rules.length, 1);
        assert.match(job.rules[0].if, /merge_request_event.*SOURCE_PROJECT_ID == \$CI_PROJECT_ID/);
    });

    it("uses our version of Pulumi, and valid shell", () => {
        assert.ok(text.includes(`Pulumi ${versions.pulumi} `));
        for (const line of [...job.script, ...job.after_script]) assertShell(line);
    });

    it("calls the command with existing options", () => {
        const argsOf = (lines: readonly string[]) => {
            const [, line = ""] = /tradewind preview (.*?)( > comment\.md)?$/.exec(lines.at(-1)!) ?? [];
            return [...line.matchAll(/(--[\w-]+)/g)].flatMap(([, option]) => [option!, "x"]);
        };
        const { changedSince, whole, wholeAt } = program.parse(argsOf(job.script)).options;
        assert.deepEqual([changedSince, whole, wholeAt], ["x", "x", "x"]);
        assert.equal(program.parse(argsOf(job.after_script)).options.post, "x");
    });
});
