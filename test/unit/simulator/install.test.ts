import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPlugins } from "../../../simulator/install";
import { plugins } from "../../../simulator/plugins";

const tls = plugins().find(({ name }) => name === "tls")!;

describe("the installation of plugins", function () {
    this.timeout(30_000);
    let folder: string;
    let lines: string[];
    const { TRADEWIND_CACHE, PATH } = process.env;

    const path = (...parts: string[]) => join(folder, ...parts);
    const tlsPlugin = () => path("home/plugins", `resource-tls-v${tls.version}`, "pulumi-resource-tls");
    const calls = () => (existsSync(path("calls")) ? readFileSync(path("calls"), "utf8").trim().split("\n") : []);
    const install = (only: string, options: object = {}) =>
        installPlugins({
            pulumiHome: path("home"),
            pulumi: path("bin/pulumi"),
            only: [only],
            print: (line) => lines.push(line),
            ...options,
        });

    /** A CLI that does what the script says, and notes how it was called. */
    function writeCli(script: string): void {
        write("bin/pulumi", `#!/bin/sh\necho "$PULUMI_HOME: $*" >> ${path("calls")}\n${script}\n`);
    }

    function write(file: string, text: string): void {
        mkdirSync(join(path(file), ".."), { recursive: true });
        writeFileSync(path(file), text);
        chmodSync(path(file), 0o755);
    }

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-install-"));
        lines = [];
        process.env.TRADEWIND_CACHE = path("cache");
        process.env.PATH = "/usr/bin:/bin";
        writeCli(
            "for i in 1 2 3; do echo 'warning: Error downloading plugin: no such host' >&2; sleep 0.3; done; exit 255",
        );
    });
    afterEach(() => {
        Object.assign(process.env, { PATH });
        if (TRADEWIND_CACHE === undefined) delete process.env.TRADEWIND_CACHE;
        else process.env.TRADEWIND_CACHE = TRADEWIND_CACHE;
        rmSync(folder, { recursive: true });
    });

    it("takes the stand-in where the official plugin cannot be downloaded, says so, and does not ask again", async () => {
        const expected = [{ name: "tls", version: tls.version, source: "stand-in" }];
        assert.deepEqual(await install("tls"), expected);
        assert.deepEqual(await install("tls"), expected);

        assert.ok(existsSync(tlsPlugin()));
        assert.deepEqual(calls(), [`${path("home")}: plugin install resource tls ${tls.version}`]);
        const line = `plugin tls ${tls.version}: stand-in (official one could not be downloaded)`;
        assert.deepEqual(lines, [line, line]);
    });

    it("takes the official plugin once it can be downloaded, in the stand-in's place", async () => {
        await install("tls", { offline: true });
        writeCli(`mkdir -p "$(dirname ${tlsPlugin()})"; echo official > ${tlsPlugin()}; chmod +x ${tlsPlugin()}`);

        assert.equal((await install("tls"))[0].source, "official");

        assert.equal(readFileSync(tlsPlugin(), "utf8"), "official\n");
        assert.deepEqual(lines, [
            `plugin tls ${tls.version}: stand-in (downloads are off)`,
            `plugin tls ${tls.version}: official`,
        ]);
        await install("tls");
        assert.equal(calls().length, 1);
    });

    it("leaves an official plugin that is there alone", async () => {
        write(`home/plugins/resource-tls-v${tls.version}/pulumi-resource-tls`, "official");

        assert.equal((await install("tls", { offline: true }))[0].source, "official");
        assert.equal(readFileSync(tlsPlugin(), "utf8"), "official");
    });

    it("sees official plugins on the PATH, and the language host beside the CLI", async () => {
        write("elsewhere/pulumi-resource-tls", "official");
        write("bin/pulumi-language-nodejs", "official");
        process.env.PATH = `${path("elsewhere")}:/usr/bin:/bin`;

        assert.equal((await install("tls"))[0].source, "official");
        assert.equal((await install("nodejs"))[0].source, "official");
        assert.deepEqual(calls(), []);
    });

    it("writes a plugin anew only when its text has changed", async () => {
        await install("tls", { offline: true });
        const first = readFileSync(tlsPlugin(), "utf8");
        await install("tls", { offline: true });

        assert.equal(readFileSync(tlsPlugin(), "utf8"), first);
        assert.match(first, /tls-[0-9a-f]{16}\.cjs/);
    });
});
