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

    it("are downloaded from the first source with the pinned content, and are executable", async () => {
        const kubelet = from(`${url}/missing`, `${url}/other`, `${url}/good`);
        assert.equal(await kubelets.isHere(kubelet), false);
        await kubelets.fetch(kubelet);
        assert.equal(readFileSync(program(), "utf8"), text);
        assert.equal(statSync(program()).mode & 0o777, 0o755);
        assert.equal(await kubelets.isHere(kubelet), true);
    });

    it("are not taken from a source with other content, and leave nothing behind", async () => {
        const kubelet = from(`${url}/missing`, `${url}/other`);
        await assert.rejects(
            kubelets.fetch(kubelet),
            /could not download .*\/missing: answers 404; .*\/other: has SHA-256 [0-9a-f]{64}, not [0-9a-f]{64}$/,
        );
        assert.ok(!existsSync(program()) && !existsSync(`${program()}.part`));
    });

    it("are downloaded despite the leftovers of a killed run", async () => {
        mkdirSync(join(folder, "kubelets/1.36.3"));
        writeFileSync(`${program()}.part`, "half of", { mode: 0o400 });
        await kubelets.fetch(from(`${url}/good`));
        assert.equal(readFileSync(program(), "utf8"), text);
    });

    it("are checked again when they change", async () => {
        await kubelets.fetch(from(`${url}/good`));
        assert.equal(await kubelets.isHere(from()), true);
        writeFileSync(program(), "rotten");
        assert.equal(await kubelets.isHere(from()), false);
    });

    it("are selected by name, and then the host is asked to start the selected one", () => {
        kubelets.switchTo(older);
        assert.deepEqual(kubelets.selected(), older);
        assert.ok(existsSync(join(folder, "state/restart-kubelet")));
    });

    it("need pods to leave if CPUs or memory are assigned to them by other settings, and back", () => {
        const reassigns = (now: string[], next: string[]) => {
            const directories = { kubelets: join(folder, "kubelets"), state: join(folder, "state") };
            const of = (id: string, flags: string[]) => new Kubelets(directories, { id, configuration: "{}", flags });
            of("a", now).switchTo({ ...older, settings: "a" });
            return of("b", next).reassigns({ ...older, settings: "b" });
        };
        const fixed = "--cpu-manager-policy=static";
        assert.equal(reassigns([], [fixed]), true);
        assert.equal(reassigns([fixed], []), true);
        assert.equal(reassigns([fixed], [fixed, "--kube-reserved=cpu=2"]), true);
        assert.equal(reassigns([fixed, "--v=2"], [fixed, "--v=3"]), false);
        assert.equal(reassigns(["--kube-reserved=cpu=1"], ["--kube-reserved=cpu=2"]), false);
        assert.equal(reassigns([], ["--cpu-manager-policy=none"]), false);
        assert.equal(reassigns([], ["--memory-manager-policy=Static"]), true);
    });

    it("report the last error since one was selected", () => {
        const file = join(folder, "state/kubelet-error");
        writeFileSync(file, 'E1127 "Failed to start ContainerManager"\n');
        assert.equal(kubelets.lastError(), 'E1127 "Failed to start ContainerManager"');
        kubelets.switchTo(older);
        assert.equal(kubelets.lastError(), undefined);
    });

    it("have their settings on the disk before they start, and earlier settings are kept", () => {
        kubelets.switchTo({ ...older, settings: "b" });
        const flags = readFileSync(join(folder, "kubelets/settings/flags-b"), "utf8").split("\n");
        assert.deepEqual(flags.slice(1), ["--v=2", "--x=y z", ""]);
        const [, config] = /^--config=(.*)$/.exec(flags[0]!)!;
        assert.equal(readFileSync(config!, "utf8"), "{}");
        kubelets.switchTo(older);
        assert.equal(kubelets.selected().settings, "a");
        assert.ok(existsSync(join(folder, "kubelets/settings/flags-b")));
    });

    it("are prepared before they are selected, and old certificates are moved aside afterwards", () => {
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
        // With other settings its certificates are unchanged.
        assert.equal(own.issuance(), "desired");
        assert.deepEqual(done, [
            "prepared while none is selected",
            "laid aside while b is selected",
            "restored while b is selected",
        ]);
    });

    it("are not ready before their settings can be written", async () => {
        const directories = { kubelets: join(folder, "kubelets"), state: join(folder, "state") };
        let lack: string | undefined = "not published yet";
        const own = new Kubelets(directories, { id: "b", configuration: "{}", flags: [] }, {
            lack: () => lack,
        } as never);
        await assert.rejects(own.fetch(from(`${url}/good`)), /^Error: not published yet$/);
        assert.equal(await own.isHere(from()), false);
        lack = undefined;
        // Nothing is downloaded twice.
        await own.fetch(from());
        assert.equal(await own.isHere(from()), true);
    });

    it("are identified by the last start, if there was any", () => {
        assert.equal(kubelets.running(), undefined);
        writeFileSync(join(folder, "kubelets/running.env"), renderKubeletEnv(older));
        assert.deepEqual(kubelets.running(), older);
    });

    it("are identified by the start of a pod's kubelet while that is running", () => {
        const newer = { ...older, version: "1.36.3" };
        writeFileSync(join(folder, "kubelets/running.env"), renderKubeletEnv(newer));
        assert.deepEqual(kubelets.running(true), newer);
        writeFileSync(join(folder, "kubelets/pod.env"), renderKubeletEnv(older));
        assert.deepEqual(kubelets.running(true), older);
        assert.deepEqual(kubelets.running(), newer);
    });

    it("are unknown if the file is incomplete", () => {
        writeFileSync(join(folder, "kubelets/kubelet.env"), "KUBELET_VERSION=1.36.3\n");
        assert.throws(
            () => kubelets.selected(),
            /kubelet\.env must contain a version, its SHA-256, its URLs and its settings/,
        );
    });
});
