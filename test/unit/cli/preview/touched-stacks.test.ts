import assert from "node:assert/strict";
import { touchedStacks } from "../../../../cli/preview/command";

const stacks = ["prod", "stage"];
const project = { folder: "infra", configs: "infra/stacks", programs: ["shared"] };

describe("the stacks that a change touches", () => {
    const cases: [string, string[], string[]][] = [
        ["are none for what is elsewhere", ["README.md", "app/index.ts", "infrastructure/a"], []],
        ["are none for Markdown", ["infra/README.md"], []],
        ["are those whose configuration is another one", ["infra/stacks/Pulumi.prod.yaml", "app/a"], ["prod"]],
        ["are all for the program", ["infra/index.ts"], stacks],
        ["are all for the project itself", ["infra/Pulumi.yaml"], stacks],
        ["are all for what the program has elsewhere", ["shared/lib/a.ts"], stacks],
        ["are all for a file that only looks like a configuration", ["infra/Pulumi.prod.yaml"], stacks],
        ["are none for a configuration that is gone", ["infra/stacks/Pulumi.gone.yaml"], []],
    ];
    for (const [title, changed, expected] of cases) {
        it(title, () => {
            assert.deepEqual(touchedStacks(stacks, changed, project), expected);
        });
    }

    it("are found in a project at the root", () => {
        const root = { folder: "", configs: "", programs: [] };
        assert.deepEqual(touchedStacks(stacks, ["Pulumi.stage.yaml"], root), ["stage"]);
        assert.deepEqual(touchedStacks(stacks, ["package-lock.json"], root), stacks);
    });
});
