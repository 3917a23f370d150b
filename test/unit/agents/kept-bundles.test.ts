import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
    appendFileSync,
    cpSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../../..");

describe("The bundles that are kept", function () {
    this.timeout(60_000);
    let copy: string;
    const bundle = () =>
        execFileSync(
            process.execPath,
            ["-r", "tsx/cjs", "-e", 'process.stdout.write(require("./agents/bundle").bundleAgent("etcd-join"))'],
            { cwd: copy, encoding: "utf8" },
        );
    const kept = () => join(copy, "node_modules/.cache/tradewind-agents");
    const files = () => readdirSync(kept()).map((name) => join(kept(), name));

    beforeEach(() => {
        copy = mkdtempSync(join(tmpdir(), "tradewind-bundles-"));
        cpSync(join(root, "agents"), join(copy, "agents"), { recursive: true });
        mkdirSync(join(copy, "node_modules"));
        for (const name of readdirSync(join(root, "node_modules")).filter((name) => !name.startsWith("."))) {
            symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
        }
    });
    afterEach(() => rmSync(copy, { recursive: true }));

    it("are used again", () => {
        const text = bundle();
        assert.equal(files().length, 1);
        const before = readFileSync(files()[0]!, "utf8");
        assert.ok(before.endsWith(text));

        assert.equal(bundle(), text);
        assert.equal(readFileSync(files()[0]!, "utf8"), before);
    });

    it("are not used once a source has changed", () => {
        const text = bundle();
        appendFileSync(join(copy, "agents/common/wait.ts"), "\nconsole.log('changed');\n");

        assert.notEqual(bundle(), text);
        assert.match(bundle(), /console\.log\("changed"\)/);
    });

    it("are not used when they are cut or altered", () => {
        const text = bundle();
        const [file] = files();
        const whole = readFileSync(file!, "utf8");
        for (const broken of ["", whole.slice(0, -1), whole.replace("use strict", "use nothing")]) {
            writeFileSync(file!, broken);

            assert.equal(bundle(), text);
            assert.equal(readFileSync(file!, "utf8"), whole);
        }
    });

    it("are not used once a source from elsewhere has changed", () => {
        writeFileSync(join(copy, "elsewhere.ts"), "export const elsewhere = 1;\n");
        appendFileSync(
            join(copy, "agents/common/wait.ts"),
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

    it("are not needed: an agent is built where they cannot be written", () => {
        writeFileSync(join(copy, "node_modules/.cache"), "in the way");

        assert.match(bundle(), /etcd/);
    });
});
