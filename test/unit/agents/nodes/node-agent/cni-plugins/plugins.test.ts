import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CniPlugins, renderCniPluginsEnv } from "../../../../../../agents/nodes/node-agent/cni-plugins/plugins";
import type { Source } from "../../../../../../agents/nodes/node-agent/plan";
import { brokenInPlace, type PluginArchive, plugin, pluginArchive } from "../plugin-archive";

describe("CNI plugins on a node", () => {
    let folder: string;
    let mirror: Server;
    let url: string;
    const served = new Map<string, Buffer>();
    const old = pluginArchive({ bridge: plugin("v1"), "host-local": plugin("v1"), removed: plugin("v1") });
    const good = pluginArchive({ bridge: plugin("v2"), "host-local": plugin("v2"), extra: plugin("v2") });
    const source = ({ sha256, bytes }: PluginArchive): Source => {
        served.set(`/${sha256}`, bytes);
        return { sha256, urls: [`${url}/missing`, `${url}/${sha256}`] };
    };
    const bin = (name = "") => join(folder, "bin", name);
    /** The version of each plugin. */
    const versions = () =>
        Object.fromEntries(readdirSync(bin()).map((name) => [name, readFileSync(bin(name), "utf8").split("\n")[1]]));

    before(async () => {
        mirror = createServer(({ url: path = "" }, answer) =>
            answer.writeHead(served.has(path) ? 200 : 404).end(served.get(path)),
        ).listen(0, "127.0.0.1");
        await once(mirror, "listening");
        url = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
    });
    after(() => mirror.close());
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-cni-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    /** The state left by the machine's own script, including the network's plugin. */
    async function machine(): Promise<CniPlugins> {
        writeFileSync(join(folder, "plugins.env"), renderCniPluginsEnv(source(old)));
        const plugins = new CniPlugins(folder);
        await plugins.fetch(source(old));
        assert.deepEqual(await plugins.swap(source(old), true), { isIn: true });
        writeFileSync(bin("flannel"), "#!/bin/sh\n# flannel\n", { mode: 0o755 });
        return plugins;
    }

    it("are downloaded if they match their hash, and nothing else is kept", async () => {
        const plugins = new CniPlugins(folder);
        const desired = source(good);
        assert.equal(await plugins.isHere(desired), false);
        await plugins.fetch(desired);
        assert.equal(await plugins.isHere(desired), true);
        const other = { ...desired, sha256: "a".repeat(64) };
        await assert.rejects(plugins.fetch(other), /has SHA-256 [0-9a-f]{64}, not aaaa/);
        assert.deepEqual(readdirSync(folder), [`cni-plugins-${good.sha256}.tgz`]);
    });

    it("replace those of the same names, and others stay", async () => {
        const plugins = await machine();
        await plugins.fetch(source(good));
        assert.deepEqual(await plugins.swap(source(good), true), { isIn: true });
        assert.deepEqual(versions(), {
            bridge: "# v2",
            "host-local": "# v2",
            extra: "# v2",
            removed: "# v1",
            flannel: "# flannel",
        });
        assert.deepEqual(plugins.installed(), source(good));
        assert.deepEqual(await plugins.swap(source(old), false), { isIn: true });
        assert.deepEqual([versions().bridge, versions().extra], ["# v1", "# v2"]);
        assert.deepEqual(plugins.installed(), source(old));
    });

    it("stay unchanged if a new one does not answer", async () => {
        const plugins = await machine();
        const before = versions();
        const broken = pluginArchive({ bridge: plugin("v3"), "host-local": "#!/bin/sh\nexit 1\n" });
        await plugins.fetch(source(broken));
        const { isIn, fault } = await plugins.swap(source(broken), true);
        assert.equal(isIn, false);
        assert.match(fault!, /^host-local does not report its versions: /);
        assert.deepEqual(versions(), before);
        assert.deepEqual(plugins.installed(), source(old));
        assert.ok(!existsSync(join(folder, ".plugins.new")));
    });

    it("are reported if they do not answer once installed", async () => {
        const plugins = await machine();
        const broken = pluginArchive({ bridge: brokenInPlace });
        await plugins.fetch(source(broken));
        const { isIn, fault } = await plugins.swap(source(broken), true);
        assert.deepEqual([isIn, versions().bridge], [true, "# broken"]);
        assert.match(fault!, /^bridge does not report its versions/);
        // The record matches the installed files.
        assert.deepEqual(plugins.installed(), source(broken));
    });

    it("are restored whether they answer or not", async () => {
        const plugins = await machine();
        const silent = pluginArchive({ bridge: "#!/bin/sh\n# silent\n" });
        await plugins.fetch(source(silent));
        const { isIn, fault } = await plugins.swap(source(silent), false);
        assert.deepEqual([isIn, versions().bridge], [true, "# silent"]);
        assert.match(fault!, /^bridge does not report/);
    });

    it("are not taken from an archive without a program, or from something else", async () => {
        const plugins = await machine();
        const before = versions();
        const text = { bytes: Buffer.from("text"), sha256: "" };
        for (const [archive, problem] of [
            [pluginArchive({}), /^the archive has no program at its top level$/],
            [text, /incorrect header check/],
        ] as const) {
            writeFileSync(join(folder, `cni-plugins-${archive.sha256}.tgz`), archive.bytes);
            const { isIn, fault } = await plugins.swap({ ...archive, urls: [] }, true);
            assert.equal(isIn, false);
            assert.match(fault!, problem);
        }
        assert.deepEqual(versions(), before);
    });

    it("are swapped despite the leftovers of a killed run", async () => {
        const plugins = await machine();
        await plugins.fetch(source(good));
        mkdirSync(join(folder, ".plugins.new"));
        writeFileSync(join(folder, ".plugins.new/bridge"), "half of", { mode: 0o400 });
        assert.deepEqual(await plugins.swap(source(good), true), { isIn: true });
        assert.equal(versions().bridge, "# v2");
    });

    it("are unknown without a record, and if it is incomplete", () => {
        assert.equal(new CniPlugins(folder).installed(), undefined);
        writeFileSync(join(folder, "plugins.env"), "CNI_PLUGINS_SHA256=1\n");
        assert.equal(new CniPlugins(folder).installed(), undefined);
    });
});
