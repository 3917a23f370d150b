import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { copyCheckout } from "../checkout-copy";

describe("a stored build", function () {
    this.timeout(60_000);
    let copy: string;
    const bundle = (checkout = copy) =>
        execFileSync(
            process.execPath,
            ["-r", "tsx/cjs", "-e", 'process.stdout.write(require("./bundling/agents").bundleAgent("etcd-join"))'],
            { cwd: checkout, encoding: "utf8" },
        );
    const kept = () => join(copy, "node_modules/.cache/tradewind");
    const files = () => readdirSync(kept()).map((name) => join(kept(), name));

    beforeEach(() => {
        copy = copyCheckout("bundles", ["agents", "bundling", "clients"]);
    });
    afterEach(() => rmSync(copy, { recursive: true }));

    it("is reused", () => {
        const text = bundle();
        assert.equal(files().length, 1);
        const before = readFileSync(files()[0]!, "utf8");
        assert.ok(before.endsWith(text));

        assert.equal(bundle(), text);
        assert.equal(readFileSync(files()[0]!, "utf8"), before);
    });

    it("is not reused if a source has changed", () => {
        const text = bundle();
        appendFileSync(join(copy, "agents/harness/wait.ts"), "\nconsole.log('changed');\n");

        assert.notEqual(bundle(), text);
        assert.match(bundle(), /console\.log\("changed"\)/);
    });

    it("is not reused if a new file may change what an import resolves to", () => {
        mkdirSync(join(copy, "agents/harness/late"));
        writeFileSync(join(copy, "agents/harness/late/index.ts"), "export const late = 'folder';\n");
        const wait = join(copy, "agents/harness/wait.ts");
        appendFileSync(wait, 'import { late } from "./late";\nconsole.log(late);\n');
        assert.match(bundle(), /late = "folder"/);
        writeFileSync(join(copy, "agents/harness/late.ts"), "export const late = 'file';\n");

        assert.match(bundle(), /late = "file"/);
    });

    it("is not reused in another checkout that shares the packages", () => {
        bundle();
        const [before] = files();
        const other = `${copy}-other`;
        cpSync(copy, other, { recursive: true, verbatimSymlinks: true });
        try {
            appendFileSync(join(other, "agents/harness/wait.ts"), "\nconsole.log('other');\n");
            assert.match(bundle(other), /console\.log\("other"\)/);
            const names = readdirSync(join(other, "node_modules/.cache/tradewind"));
            assert.equal(names.length, 2);
            assert.ok(names.includes(basename(before!)));
        } finally {
            rmSync(other, { recursive: true });
        }
    });

    it("is not reused if truncated or modified", () => {
        const text = bundle();
        const [file] = files();
        const whole = readFileSync(file!, "utf8");
        for (const broken of ["", whole.slice(0, -1), whole.replace("use strict", "use nothing")]) {
            writeFileSync(file!, broken);

            assert.equal(bundle(), text);
            assert.equal(readFileSync(file!, "utf8"), whole);
        }
    });

    it("is not reused if a source outside the checkout has changed", () => {
        writeFileSync(join(copy, "elsewhere.ts"), "export const elsewhere = 1;\n");
        appendFileSync(
            join(copy, "agents/harness/wait.ts"),
            'import { elsewhere } from "../../elsewhere";\nconsole.log(elsewhere);\n',
        );
        assert.match(bundle(), /elsewhere = 1/);
        const [file] = files();
        const before = readFileSync(file!, "utf8");
        assert.match(bundle(), /elsewhere = 1/);
        assert.equal(readFileSync(file!, "utf8"), before);
        writeFileSync(join(copy, "elsewhere.ts"), "export const elsewhere = 2;\n");

        assert.match(bundle(), /elsewhere = 2/);
    });

    it("is optional: an agent is built even if nothing can be stored", () => {
        writeFileSync(join(copy, "node_modules/.cache"), "in the way");

        assert.match(bundle(), /etcd/);
    });
});
