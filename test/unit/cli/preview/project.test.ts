import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectName, stacksOf } from "../../../../cli/preview/command";

describe("the stacks of a project in git", () => {
    let root: string;
    let folder: string;
    const git = (...args: string[]) =>
        execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
            stdio: ["ignore", "ignore", "inherit"],
        });
    const write = (path: string, text: string) => writeFileSync(join(root, path), text);
    const commit = () => {
        git("add", ".");
        git("commit", "-qm", "a change");
    };

    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "tradewind-project-"));
        folder = join(root, "infra");
        mkdirSync(join(folder, "stacks"), { recursive: true });
        write("infra/Pulumi.yaml", "name: shop\nstackConfigDir: stacks\n");
        for (const stack of ["prod", "stage"]) write(`infra/stacks/Pulumi.${stack}.yaml`, "config: {}\n");
        write("infra/index.ts", "");
        git("init", "-q", "-b", "main");
        commit();
        git("checkout", "-qb", "change");
    });
    afterEach(() => rmSync(root, { recursive: true }));

    it("are all included by default", () => {
        assert.equal(projectName(folder), "shop");
        assert.deepEqual(stacksOf(folder, undefined, []), ["prod", "stage"]);
        assert.deepEqual(stacksOf(folder, "main", []), []);
    });

    it("are those that the branch changed, committed or not, regardless of later changes on main", () => {
        write("infra/stacks/Pulumi.prod.yaml", "config: { a: 1 }\n");
        commit();
        git("checkout", "-q", "main");
        write("infra/index.ts", "on main");
        commit();
        git("checkout", "-q", "change");
        assert.deepEqual(stacksOf(folder, "main", []), ["prod"]);
        write("infra/new.ts", "");
        assert.deepEqual(stacksOf(folder, "main", []), ["prod", "stage"]);
    });

    it("are all included if a file is moved into or out of the program", () => {
        git("mv", "infra/index.ts", "index.ts");
        commit();
        assert.deepEqual(stacksOf(folder, "main", []), ["prod", "stage"]);
    });

    it("are all included if a file of the program outside the project changed", () => {
        write("lock.json", "{}");
        commit();
        assert.deepEqual(stacksOf(folder, "main", []), []);
        assert.deepEqual(stacksOf(folder, "main", ["../lock.json"]), ["prod", "stage"]);
    });

    it("require a known revision, and a project", () => {
        assert.throws(() => stacksOf(folder, "origin/main", []), /--changed-since must be .* fetch-depth: 0/);
        assert.throws(() => projectName(root), /--cwd must be a folder with a Pulumi\.yaml \(got /);
    });
});
