import assert from "node:assert/strict";
import { touchedStacks } from "../../../../cli/preview/command";

const stacks = ["prod", "stage"];
const project = { folder: "infra", configs: "infra/stacks", programs: ["shared"] };

describe("the stacks that a change affects", () => {
    const cases: [string, string[], string[]][] = [
        ["are none for other files", ["README.md", "app/index.ts", "infrastructure/a"], []],
        ["are none for Markdown", ["infra/README.md"], []],
        ["are those with a changed configuration", ["infra/stacks/Pulumi.prod.yaml", "app/a"], ["prod"]],
        ["are all for a change of the program", ["infra/index.ts"], stacks],
        ["are all for a change of the project file", ["infra/Pulumi.yaml"], stacks],
        ["are all for a change of the program outside the project", ["shared/lib/a.ts"], stacks],
        ["are all for a file that only looks like a configuration", ["infra/Pulumi.prod.yaml"], stacks],
        ["are none for a removed configuration", ["infra/stacks/Pulumi.gone.yaml"], []],
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
