import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { installPlugins } from "../../../../simulator/plugins/install";
import { plugins } from "../../../../simulator/plugins/list";
import { freePort } from "../../../free-port";

const tls = plugins().find(({ name }) => name === "tls")!;
const nodejs = plugins().find(({ name }) => name === "nodejs")!;

describe("the installation of plugins", function () {
    this.timeout(30_000);
    let folder: string;
    let lines: string[];
    /** Nothing listens there. */
    let nowhere: string;
    const { TRADEWIND_CACHE, PATH } = process.env;

    const path = (...parts: string[]) => join(folder, ...parts);
    const tlsPlugin = () => path("home/plugins", `resource-tls-v${tls.version}`, "pulumi-resource-tls");
    const calls = () => (existsSync(path("calls")) ? readFileSync(path("calls"), "utf8").trim().split("\n") : []);
    const install = (only: string, options: object = {}) =>
        installPlugins({
            pulumiHome: path("home"),
            pulumi: path("bin/pulumi"),
            only: [only],
            site: nowhere,
            print: (line) => lines.push(line),
            ...options,
        });

    /** A CLI that does what the script says, and records how it was called. */
    function writeCli(script: string): void {
        write("bin/pulumi", `#!/bin/sh\necho "$PULUMI_HOME: $*" >> ${path("calls")}\n${script}\n`);
    }

    function write(file: string, text: string): void {
        mkdirSync(join(path(file), ".."), { recursive: true });
        writeFileSync(path(file), text);
        chmodSync(path(file), 0o755);
    }

    /** A plugin that reports its version to the engine, as official ones do. */
    function writePlugin(file: string, service: string, version: string): void {
        write(
            file,
            `#!${process.execPath}
            const { Server, ServerCredentials } = require(${JSON.stringify(require.resolve("@grpc/grpc-js"))});
            const proto = (name) => require(${JSON.stringify(dirname(require.resolve("@pulumi/pulumi/package.json")))} + "/proto/" + name);
            const info = new (proto("plugin_pb").PluginInfo)();
            info.setVersion(${JSON.stringify(version)});
            const server = new Server();
            const { getPluginInfo } = proto("${service}_grpc_pb").${service === "language" ? "LanguageRuntimeService" : "ResourceProviderService"};
            server.addService({ getPluginInfo }, { getPluginInfo: (call, done) => done(null, info) });
            server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => console.log(port));
            `,
        );
    }

    beforeEach(async () => {
        nowhere = `http://127.0.0.1:${await freePort()}`;
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

    it("uses the stand-in if the official plugin cannot be downloaded, with a message, and does not retry", async () => {
        const expected = [{ name: "tls", version: tls.version, source: "stand-in" }];
        assert.deepEqual(await install("tls"), expected);
        assert.deepEqual(await install("tls"), expected);

        assert.ok(existsSync(tlsPlugin()));
        assert.deepEqual(calls(), [`${path("cache/plugins/official")}: plugin install resource tls ${tls.version}`]);
        assert.equal(lines[0], `plugin tls ${tls.version}: stand-in (${nowhere} is unreachable)`);
        assert.match(
            lines[1]!,
            /: stand-in \(.* was unreachable at 2.*Z; remove .*plugins\/unreachable to try again\)$/,
        );
    });

    it("fails with the CLI's message if a download fails although the official site is reachable", async () => {
        const server = createServer((_, response) => response.writeHead(404).end());
        await once(server.listen(0, "127.0.0.1"), "listening");
        const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        try {
            await assert.rejects(
                install("tls", { site }),
                new RegExp(
                    `the plugin tls ${tls.version} could not be downloaded; run the same command again:\nwarning: .*no such host`,
                ),
            );
        } finally {
            server.close();
        }
        assert.deepEqual([existsSync(tlsPlugin()), existsSync(path("cache/plugins/unreachable"))], [false, false]);
    });

    it("never uses a stand-in where official ones are required, and remembers no failure", async () => {
        await install("tls");
        assert.ok(existsSync(path("cache/plugins/unreachable")));
        await assert.rejects(
            install("tls", { requireOfficial: true }),
            /could not be downloaded:\nwarning: .*no such host/,
        );
        assert.equal(calls().length, 2);
        assert.equal(existsSync(path("cache/plugins/unreachable")), false);
    });

    it("uses the official plugin once it can be downloaded, in the stand-in's place", async () => {
        await install("tls", { offline: true });
        const downloaded = `"$PULUMI_HOME/plugins/resource-tls-v${tls.version}/pulumi-resource-tls"`;
        writeCli(
            `mkdir -p "$(dirname ${downloaded})"; printf '#!/bin/sh\necho official\n' > ${downloaded}; chmod +x ${downloaded}`,
        );

        assert.equal((await install("tls"))[0]?.source, "official");

        assert.equal(execFileSync(tlsPlugin(), { encoding: "utf8" }), "official\n");
        assert.deepEqual(lines, [
            `plugin tls ${tls.version}: stand-in (downloads are disabled)`,
            `plugin tls ${tls.version}: official`,
        ]);
        await install("tls");
        await install("tls", { pulumiHome: path("another home") });
        assert.equal(calls().length, 1);
    });

    it("leaves an existing official plugin alone", async () => {
        write(`home/plugins/resource-tls-v${tls.version}/pulumi-resource-tls`, "official");

        assert.equal((await install("tls", { offline: true }))[0]?.source, "official");
        assert.equal(readFileSync(tlsPlugin(), "utf8"), "official");
    });

    it("uses an official plugin on the PATH if it has the right version, and the language host next to the CLI", async () => {
        writePlugin("elsewhere/pulumi-resource-tls", "provider", `v${tls.version}`);
        write("bin/pulumi-language-nodejs", "official");
        process.env.PATH = `${path("elsewhere")}:/usr/bin:/bin`;

        assert.equal((await install("tls"))[0]?.source, "official");
        assert.match(readFileSync(tlsPlugin(), "utf8"), /exec '.*elsewhere\/pulumi-resource-tls'/);
        assert.equal((await install("nodejs"))[0]?.source, "official");
        assert.deepEqual(calls(), []);
    });

    it("does not use a plugin of another version on the PATH, with a message", async () => {
        writePlugin("elsewhere/pulumi-resource-tls", "provider", "1.0.0");
        writePlugin("elsewhere/pulumi-language-nodejs", "language", "3.0.0");
        process.env.PATH = `${path("elsewhere")}:/usr/bin:/bin`;

        assert.equal((await install("tls", { offline: true }))[0]?.source, "stand-in");
        assert.equal((await install("nodejs"))[0]?.source, "stand-in");
        const unused = lines.filter((line) => line.includes(": ignoring "));
        assert.deepEqual(unused, [
            `plugin tls: ignoring ${path("elsewhere/pulumi-resource-tls")}: it must be ${tls.version}, is 1.0.0`,
            `plugin nodejs: ignoring ${path("elsewhere/pulumi-language-nodejs")}: it must be ${nodejs.version}, is 3.0.0`,
        ]);
    });

    it("leaves the stand-ins of another home alone, whatever is on the PATH", async () => {
        await install("tls", { offline: true });
        const before = readFileSync(tlsPlugin(), "utf8");
        writePlugin("elsewhere/pulumi-resource-tls", "provider", tls.version);
        process.env.PATH = `${path("elsewhere")}:/usr/bin:/bin`;

        assert.equal((await install("tls", { pulumiHome: path("another home") }))[0]?.source, "official");

        assert.equal(readFileSync(tlsPlugin(), "utf8"), before);
    });

    it("rewrites a plugin only if its text has changed", async () => {
        await install("tls", { offline: true });
        const first = readFileSync(tlsPlugin(), "utf8");
        await install("tls", { offline: true });

        assert.equal(readFileSync(tlsPlugin(), "utf8"), first);
        assert.match(first, /tls-[0-9a-f]{16}\.cjs/);
    });
});
