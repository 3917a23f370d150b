import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kubelets, renderKubeletEnv } from "../../../../../../agents/nodes/node-agent/kubelet/kubelets";
import type { Kubelet } from "../../../../../../agents/nodes/node-agent/plan";
import { older } from "../example";

describe("the kubelets of a node", () => {
    let folder: string;
    let kubelets: Kubelets;
    let mirror: Server;
    let url: string;
    const text = "a kubelet";
    const sha256 = createHash("sha256").update(text).digest("hex");
    const program = () => join(folder, "kubelets/1.36.3/kubelet");
    const from = (...urls: string[]): Kubelet => ({ version: "1.36.3", sha256, urls, settings: "b" });

    before(async () => {
        mirror = createServer((request, answer) => {
            const served: Record<string, string> = { "/good": text, "/other": "another program" };
            const body = served[request.url!];
            answer.writeHead(body === undefined ? 404 : 200).end(body);
        });
        await new Promise<void>((resolve) => mirror.listen(0, "127.0.0.1", resolve));
        url = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
    });
    after(() => mirror.close());
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "kubelets-"));
        for (const name of ["kubelets", "state"]) mkdirSync(join(folder, name));
        const directories = { kubelets: join(folder, "kubelets"), state: join(folder, "state") };
        kubelets = new Kubelets(directories, { id: "b", configuration: "{}", flags: ["--v=2", "--x=y z"] });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("are fetched from the first place that has what is pinned, to be run", async () => {
        const kubelet = from(`${url}/missing`, `${url}/other`, `${url}/good`);
        assert.equal(await kubelets.isHere(kubelet), false);
        await kubelets.fetch(kubelet);
        assert.equal(readFileSync(program(), "utf8"), text);
        assert.equal(statSync(program()).mode & 0o777, 0o755);
        assert.equal(await kubelets.isHere(kubelet), true);
    });

    it("are not what no place has, and nothing of it stays", async () => {
        const kubelet = from(`${url}/missing`, `${url}/other`);
        await assert.rejects(
            kubelets.fetch(kubelet),
            /no source gave .*\/missing: answers 404; .*\/other: has the SHA-256 [0-9a-f]{64}, not [0-9a-f]{64}$/,
        );
        assert.ok(!existsSync(program()) && !existsSync(`${program()}.part`));
    });

    it("are fetched whatever a run that was killed left", async () => {
        mkdirSync(join(folder, "kubelets/1.36.3"));
        writeFileSync(`${program()}.part`, "half of", { mode: 0o400 });
        await kubelets.fetch(from(`${url}/good`));
        assert.equal(readFileSync(program(), "utf8"), text);
    });

    it("are looked at again when they change", async () => {
        await kubelets.fetch(from(`${url}/good`));
        assert.equal(await kubelets.isHere(from()), true);
        writeFileSync(program(), "rotten");
        assert.equal(await kubelets.isHere(from()), false);
    });

    it("are run by name: the host is asked to start the one that was selected", () => {
        kubelets.switchTo(older);
        assert.deepEqual(kubelets.selected(), older);
        assert.ok(existsSync(join(folder, "state/restart-kubelet")));
    });

    it("have their settings on the disk before they are run by them, and keep those that others were run by", () => {
        kubelets.switchTo({ ...older, settings: "b" });
        const flags = readFileSync(join(folder, "kubelets/settings/flags-b"), "utf8").split("\n");
        assert.deepEqual(flags.slice(1), ["--v=2", "--x=y z", ""]);
        const [, config] = /^--config=(.*)$/.exec(flags[0]!)!;
        assert.equal(readFileSync(config!, "utf8"), "{}");
        kubelets.switchTo(older);
        assert.equal(kubelets.selected().settings, "a");
        assert.ok(existsSync(join(folder, "kubelets/settings/flags-b")));
    });

    it("are prepared before they are selected, and laid aside is what they were known by after it", () => {
        const done: string[] = [];
        const selected = () =>
            existsSync(join(folder, "kubelets/kubelet.env")) ? kubelets.selected().settings : "none";
        const note = (what: string) => () => void done.push(`${what} while ${selected()} is selected`);
        const identity = { prepare: note("prepared"), layAside: note("laid aside"), restore: note("restored") };
        const directories = { kubelets: join(folder, "kubelets"), state: join(folder, "state") };
        const settings = { id: "b", configuration: "{}", flags: [] };
        const own = new Kubelets(directories, settings, { ...identity, issuance: () => "others" } as never);
        own.switchTo({ ...older, settings: "b" });
        assert.equal(own.issuance(), "others");
        own.switchTo(older);
        // By other settings it is known as before.
        assert.equal(own.issuance(), "wanted");
        assert.deepEqual(done, [
            "prepared while none is selected",
            "laid aside while b is selected",
            "restored while b is selected",
        ]);
    });

    it("are not here before what their settings name can be laid out", async () => {
        const directories = { kubelets: join(folder, "kubelets"), state: join(folder, "state") };
        let lack: string | undefined = "not published yet";
        const own = new Kubelets(directories, { id: "b", configuration: "{}", flags: [] }, {
            lack: () => lack,
        } as never);
        await assert.rejects(own.fetch(from(`${url}/good`)), /^Error: not published yet$/);
        assert.equal(await own.isHere(from()), false);
        lack = undefined;
        // Nothing is fetched a second time.
        await own.fetch(from());
        assert.equal(await own.isHere(from()), true);
    });

    it("are known by what was started last, if anything was", () => {
        assert.equal(kubelets.running(), undefined);
        writeFileSync(join(folder, "kubelets/running.env"), renderKubeletEnv(older));
        assert.deepEqual(kubelets.running(), older);
    });

    it("are known by what a pod's kubelet was started from, for as long as that is at work", () => {
        const newer = { ...older, version: "1.36.3" };
        writeFileSync(join(folder, "kubelets/running.env"), renderKubeletEnv(newer));
        assert.deepEqual(kubelets.running(true), newer);
        writeFileSync(join(folder, "kubelets/pod.env"), renderKubeletEnv(older));
        assert.deepEqual(kubelets.running(true), older);
        assert.deepEqual(kubelets.running(), newer);
    });

    it("can't be told apart by a file that is not whole", () => {
        writeFileSync(join(folder, "kubelets/kubelet.env"), "KUBELET_VERSION=1.36.3\n");
        assert.throws(
            () => kubelets.selected(),
            /kubelet\.env must name a version, its SHA-256, its URLs and its settings/,
        );
    });
});
