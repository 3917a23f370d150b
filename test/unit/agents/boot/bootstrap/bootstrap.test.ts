import assert from "node:assert/strict";
import { existsSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeCheckpoints } from "../../../../../agents/boot/bootstrap/checkpoints";
import { stepNames } from "../../../../../agents/boot/bootstrap/plan";
import { copyFileName } from "../../../../../agents/checkpointer/plan";
import { seal } from "../../../../../agents/checkpointer/seal";
import { readStages } from "./agent-process";
import { exampleManifests, writeAssets } from "./assets";
import { Scene } from "./scene";

const record = "/api/v1/namespaces/kube-system/configmaps/tradewind-bootstrap";

describe("a bootstrap without failures", () => {
    let scene: Scene;
    let start: number;

    before(async () => {
        scene = await Scene.create();
        start = Date.now();
        await scene.run();
    });

    after(() => scene.end());

    it("pivots: only the self-hosted processes run, and the pivot is recorded in the cluster and on the disk", async () => {
        await scene.machine.waitUntilRunning(scene.plan.selfHosted.map(({ name }) => `self-hosted/${name}`));
        const { data } = scene.machine.api.objects.get(record) as unknown as { data: Record<string, string> };
        assert.equal(data.cluster, "example");
        assert.equal(data.node, "controller-1");
        assert.deepEqual(JSON.parse(data.versions ?? ""), { kubernetes: "1.36.3" });
        assert.deepEqual(Object.keys(JSON.parse(data.durations ?? "")), stepNames.slice(0, -2));
        assert.equal(JSON.parse(readFileSync(scene.stamp, "utf8")).pivotedAt, data.pivotedAt);
    });

    it("logs the start and the end of every step in order, on the disk and as text", () => {
        const events = readStages(scene.stages).map(({ step, event }) => `${step} ${event}`);
        assert.deepEqual(
            events,
            stepNames.flatMap((step) => [`${step} start`, `${step} done`]),
        );
        assert.match(scene.lines[0] ?? "", /^verify-assets: 9 objects in 4 groups; .* \(\d\.\ds\)$/);
        assert.match(scene.lines[10] ?? "", /^stop-copies: stopped kube-apiserver, kube-controller-manager, kube-sche/);
    });

    it("leaves no key on the disk", () => {
        const { assets, checkpoints } = scene.plan.directories;
        for (const path of [join(assets, "secrets"), join(assets, "manifests")]) {
            assert.equal(existsSync(path), false, path);
        }
        // The control plane's own, which every controller has.
        assert.equal(statSync(checkpoints).mode & 0o777, 0o700);
        const key = join(checkpoints, "kube-system/kube-scheduler/current/volumes/credentials/tls.key");
        assert.equal(readFileSync(key, "utf8"), "the key of kube-scheduler");
        assert.equal(statSync(key).mode & 0o777, 0o400);
    });

    it("applies groups in order, with force, under the plan's field manager", () => {
        const applied = scene.machine.api.requests.filter((line) => line.startsWith("PATCH") && line.includes("force"));
        assert.ok(applied.every((line) => line.endsWith("?fieldManager=tradewind-bootstrap&force=true")));
        const names = applied.map((line) => line.replace(/\?.*/, "").split("/").pop() ?? "");
        const components = scene.plan.selfHosted.map(({ name }) => name);
        assert.equal(names[0], "kube-system");
        assert.deepEqual(names.slice(1, 5).sort(), ["bootstrap-token-abcdef", ...components]);
        assert.deepEqual(names.slice(5, -2).sort(), components);
        assert.deepEqual(names.slice(-2), ["dns", "tradewind-bootstrap"]);
    });

    it("applies add-ons once the self-hosted control plane serves, before it stops the copies", () => {
        const { requests } = scene.machine.api;
        const position = (part: string) => requests.findIndex((line) => line.includes(part));
        assert.ok(position("/daemonsets/dns") > position("fieldSelector=spec.nodeName"));
        assert.ok(position("/daemonsets/dns") > position("PATCH /api/v1/nodes/controller-1"));
        assert.match(scene.lines[9] ?? "", /^apply-addons: 1 objects/);
    });

    it("sets an expiry on bootstrap tokens, counted from now", () => {
        const { data } = scene.machine.api.objects.get(
            "/api/v1/namespaces/kube-system/secrets/bootstrap-token-abcdef",
        ) as unknown as { data: { expiration: string } };
        const expiration = Buffer.from(data.expiration, "base64").toString();
        assert.match(expiration, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        const hours = (Date.parse(expiration) - start) / 3_600_000;
        assert.ok(hours > 23.99 && hours < 24.01, `${hours} hours`);
    });

    it("does nothing once the stamp exists", async () => {
        const { requests } = scene.machine.api;
        const count = requests.length;
        scene.lines.length = 0;
        await scene.run();
        assert.equal(requests.length, count);
        assert.deepEqual(scene.lines, ["the control plane is self-hosted"]);
    });
});

describe("a bootstrap with failures", () => {
    let scene: Scene | undefined;

    afterEach(() => {
        scene?.end();
        scene = undefined;
    });

    it("restricts secrets to root while they are needed, and reports which were open", async () => {
        scene = await Scene.create();
        const { assets } = scene.plan.directories;
        // The default modes of the test's assets are open.
        const open = join(assets, "secrets");
        assert.equal(statSync(open).mode & 0o777, 0o755);
        scene.machine.podStatus = () => ({ phase: "Pending" });
        await assert.rejects(scene.run({ "wait-for-self-hosted": 0.3 }));
        assert.equal(statSync(open).mode & 0o777, 0o700);
        assert.equal(statSync(join(open, "admin/admin.key")).mode & 0o777, 0o600);
        assert.ok(scene.lines[0]?.includes(`made private: ${open}`), scene.lines[0]);
    });

    it("never applies manifests again if the pivot is recorded in the cluster but not on the disk", async () => {
        scene = await Scene.create();
        scene.machine.api.objects.set(record, {
            kind: "ConfigMap",
            metadata: { name: "" },
            data: { pivotedAt: "yesterday" },
        });
        for (const [, object] of Object.entries(exampleManifests(scene.plan)).slice(2)) {
            const { metadata } = object as { metadata: { name: string } };
            const path = `/apis/apps/v1/namespaces/kube-system/daemonsets/${metadata.name}`;
            scene.machine.api.objects.set(path, object as never);
        }
        const labels = scene.plan.controllerLabels;
        scene.machine.api.objects.set("/api/v1/nodes/controller-1", {
            kind: "Node",
            metadata: { name: "controller-1", labels },
        });
        await scene.run();
        assert.deepEqual(
            scene.machine.api.requests.filter((line) => line.startsWith("PATCH")),
            [],
        );
        assert.match(scene.lines.join("\n"), /apply-manifests: not applied again: the cluster pivoted at yesterday/);
        assert.ok(existsSync(scene.stamp));
    });

    it("only restores the stamp if nothing else was lost", async () => {
        scene = await Scene.create();
        await scene.run();
        rmSync(scene.stamp);
        writeAssets(scene.plan);
        scene.lines.length = 0;
        const { requests } = scene.machine.api;
        requests.length = 0;
        await scene.run();
        assert.match(scene.lines.join("\n"), /find-state: the cluster pivoted at .*\n.*write-checkpoints: not needed/);
        assert.ok(existsSync(scene.stamp));
        assert.ok(!requests.some((line) => line.startsWith("PATCH")), requests.join("\n"));
    });

    it("starts the control plane from checkpoints again after a power cut between their stop and the pivot record", async () => {
        scene = await Scene.create();
        await stopBeforeTheRecord(scene);
        scene.machine.powerCut();
        scene.machine.boot();
        await scene.run();
        assert.match(scene.lines.join("\n"), /find-state: resuming, the API does not answer, copies are needed/);
        assert.match(
            scene.lines.join("\n"),
            /from checkpoint: kube-apiserver (.|\n)*from checkpoint: kube-controller-manager, kube-scheduler/,
        );
    });

    it("continues without copies if it was killed between their stop and the pivot record", async () => {
        scene = await Scene.create();
        await stopBeforeTheRecord(scene);
        await scene.run();
        assert.match(scene.lines.join("\n"), /start-apiserver: not needed(.|\n)*start-controllers: not needed/);
    });

    it("leaves the copies and their files alone when it resumes", async () => {
        scene = await Scene.create();
        const { checkpoints, staticPods } = scene.plan.directories;
        scene.machine.podStatus = () => ({ phase: "Pending" });
        await assert.rejects(scene.run({ "wait-for-self-hosted": 0.2 }));
        const generation = realpathSync(join(checkpoints, "kube-system/kube-apiserver/current"));
        const inodes = () =>
            [join(generation, "pod.json"), join(staticPods, copyFileName("kube-system/kube-apiserver"))].map(
                (path) => statSync(path).ino,
            );
        const before = inodes();
        await assert.rejects(scene.run({ "wait-for-self-hosted": 0.2 }));
        assert.deepEqual(inodes(), before);
    });

    it("starts what other assets say if they replace the first ones, such as after an option that broke it", async () => {
        scene = await Scene.create();
        const { staticPods } = scene.plan.directories;
        scene.machine.podStatus = () => ({ phase: "Pending" });
        await assert.rejects(scene.run({ "wait-for-self-hosted": 0.2 }));
        const other = JSON.stringify(exampleManifests(scene.plan)["020-kube-scheduler.json"]);
        scene.addManifest("020-kube-scheduler.json", JSON.parse(other.replace(':"image"', ':"other-image"')));
        await assert.rejects(scene.run({ "wait-for-self-hosted": 0.2 }));
        const copy = readFileSync(join(staticPods, copyFileName("kube-system/kube-scheduler")), "utf8");
        assert.equal(JSON.parse(copy).spec.containers[0].image, "other-image");
    });

    it("keeps a checkpoint of a pod that has run on this machine", async () => {
        scene = await Scene.create();
        const [apiserver] = scene.plan.selfHosted;
        writeCheckpoints({ ...scene.plan, selfHosted: [apiserver!] });
        const home = join(scene.plan.directories.checkpoints, "kube-system/kube-apiserver");
        const metadata = join(home, "current/checkpoint.json");
        const { sha256: _, ...checkpoint } = JSON.parse(readFileSync(metadata, "utf8"));
        writeFileSync(metadata, seal({ ...checkpoint, uid: "1", pod: "kube-apiserver-x7k2p" }));
        await scene.run();
        assert.match(
            scene.lines.join("\n"),
            /write-checkpoints: 2 written to .*, 1 kept: they were saved from running/,
        );
        assert.equal(JSON.parse(readFileSync(metadata, "utf8")).uid, "1");
    });

    it("says which object a checkpoint needs that the assets do not have", async () => {
        scene = await Scene.create();
        rmSync(join(scene.plan.directories.assets, "manifests/010-kube-scheduler-files.json"));
        await assert.rejects(
            scene.run(),
            /write-checkpoints: the manifests must contain Secret kube-system\/kube-scheduler/,
        );
    });

    it("restarts a kubelet once if it has not registered its node", async () => {
        scene = await Scene.create();
        scene.machine.isKubeletTired = true;
        await scene.run();
        assert.equal(scene.machine.restarts, 1);
        assert.match(
            scene.lines.join("\n"),
            /^start-controllers: .*scheduler; restarted the kubelet, which registers its Node/m,
        );
    });

    it("reports on timeout which step waited for what, and the last observation", async () => {
        scene = await Scene.create();
        const waiting = { reason: "ImagePullBackOff" };
        const status = { containerStatuses: [{ name: "haproxy", ready: false, state: { waiting } }] };
        scene.machine.podStatus = (name) => (name === "kube-apiserver" ? status : undefined);
        await assert.rejects(scene.run({ "wait-for-self-hosted": 0.3 }), {
            name: "StepFailed",
            message:
                /^wait-for-self-hosted: waited \d s for the self-hosted control plane; last seen: kube-apiserver-x7k2p: container haproxy waiting: ImagePullBackOff$/,
        });
        assert.equal(readStages(scene.stages).at(-1)?.event, "failed");
    });

    it("ignores answers of other generations when it checks the self-hosted process", async () => {
        scene = await Scene.create();
        const [apiserver] = scene.plan.selfHosted;
        const wrong = scene.plan.selfHosted.map((component) =>
            component === apiserver ? { ...component, address: "127.9.9.9" } : component,
        );
        Object.assign(scene.plan, { selfHosted: wrong });
        await assert.rejects(
            scene.run({ "wait-for-self-hosted": 0.3 }),
            /last seen: kube-apiserver: no pod on this node yet/,
        );
    });

    it("lists missing files before it changes anything", async () => {
        scene = await Scene.create();
        const { assets, checkpoints } = scene.plan.directories;
        rmSync(join(assets, "secrets/admin/admin.crt"));
        rmSync(join(assets, "secrets/admin/admin.key"));
        await assert.rejects(
            scene.run(),
            /verify-assets: \S+ must contain secrets\/admin\/admin.crt, secrets\/admin\/admin.key$/,
        );
        assert.equal(existsSync(checkpoints), false);
    });

    /** Completes everything but the record, which the API rejects. */
    async function stopBeforeTheRecord(scene: Scene): Promise<void> {
        const { api } = scene.machine;
        api.refuse = (method, path) =>
            method === "PATCH" && path === record ? { status: 403, message: "no" } : undefined;
        await assert.rejects(scene.run(), /record-pivot: ConfigMap kube-system\/tradewind-bootstrap: 403: no/);
        api.refuse = () => undefined;
        scene.lines.length = 0;
    }
});
