import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stepNames } from "../../../../../agents/boot/bootstrap/plan";
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
        assert.match(scene.lines[0] ?? "", /^verify-assets: 3 static pods, 6 objects in 4 groups; .* \(\d\.\ds\)$/);
        assert.match(
            scene.lines[10] ?? "",
            /^stop-temporary-apiserver: stopped; \d+ requests, none failed, through https:/,
        );
    });

    it("leaves no key on the disk", () => {
        const { assets, secrets } = scene.plan.directories;
        for (const path of [secrets, join(assets, "secrets"), join(assets, "manifests"), join(assets, "static")]) {
            assert.equal(existsSync(path), false, path);
        }
    });

    it("applies groups in order, with force, under the plan's field manager", () => {
        const applied = scene.machine.api.requests.filter((line) => line.startsWith("PATCH") && line.includes("force"));
        assert.ok(applied.every((line) => line.endsWith("?fieldManager=tradewind-bootstrap&force=true")));
        const names = applied.map((line) => line.replace(/\?.*/, "").split("/").pop() ?? "");
        assert.deepEqual(names.slice(0, 2), ["kube-system", "bootstrap-token-abcdef"]);
        assert.deepEqual(
            names.slice(2, -2).sort(),
            scene.plan.selfHosted.map(({ name }) => name),
        );
        assert.deepEqual(names.slice(-2), ["dns", "tradewind-bootstrap"]);
    });

    it("applies add-ons once the self-hosted control plane serves, before it stops the temporary one", () => {
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
        scene = await Scene.create({ longestSilenceSeconds: 2 });
        const { assets, secrets } = scene.plan.directories;
        // The default modes of the test's assets are open.
        const open = join(assets, "secrets");
        assert.equal(statSync(open).mode & 0o777, 0o755);
        scene.machine.podStatus = () => ({ phase: "Pending" });
        await assert.rejects(scene.run({ "wait-for-self-hosted": 0.3 }));
        assert.equal(statSync(open).mode & 0o777, 0o700);
        assert.equal(statSync(secrets).mode & 0o777, 0o700);
        assert.equal(statSync(join(secrets, "kube-controller-manager/ca.key")).mode & 0o777, 0o600);
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
        assert.match(scene.lines.join("\n"), /find-state: the cluster pivoted at .*\n.*install-secrets: not needed/);
        assert.ok(existsSync(scene.stamp));
        assert.ok(!requests.some((line) => line.startsWith("PATCH")), requests.join("\n"));
    });

    it("restarts the temporary control plane after a power cut between its stop and the pivot record", async () => {
        scene = await Scene.create();
        await stopBeforeTheRecord(scene);
        scene.machine.powerCut();
        scene.machine.boot();
        await scene.run();
        assert.match(
            scene.lines.join("\n"),
            /find-state: resuming, the API does not answer, the temporary control plane is needed/,
        );
        assert.match(
            scene.lines.join("\n"),
            /static pod kube-apiserver (.|\n)*static pods kube-controller-manager, kube-scheduler/,
        );
    });

    it("continues without the temporary control plane if it was killed between its stop and the pivot record", async () => {
        scene = await Scene.create();
        await stopBeforeTheRecord(scene);
        await scene.run();
        assert.match(
            scene.lines.join("\n"),
            /start-temporary-apiserver: not needed(.|\n)*start-temporary-controllers: not needed/,
        );
    });

    it("starts the rest of the temporary control plane if only its apiserver was started", async () => {
        scene = await Scene.create();
        const { assets, staticPods } = scene.plan.directories;
        cpSync(join(assets, "static/kube-apiserver.json"), join(staticPods, "bootstrap-kube-apiserver.json"));
        await scene.machine.waitUntilRunning(["temporary/kube-apiserver"]);
        await scene.run();
        assert.match(scene.lines.join("\n"), /static pods kube-controller-manager, kube-scheduler/);
    });

    it("leaves the temporary pods and their secrets alone when it resumes", async () => {
        scene = await Scene.create();
        const { secrets, staticPods } = scene.plan.directories;
        scene.machine.podStatus = () => ({ phase: "Pending" });
        await assert.rejects(scene.run({ "wait-for-self-hosted": 0.2 }));
        const inodes = () =>
            [secrets, join(staticPods, "bootstrap-kube-apiserver.json")].map((path) => statSync(path).ino);
        const before = inodes();
        await assert.rejects(scene.run({ "wait-for-self-hosted": 0.2 }));
        assert.deepEqual(inodes(), before);
    });

    it("replaces the whole set of secrets if one of them has changed", async () => {
        scene = await Scene.create();
        const { assets, secrets } = scene.plan.directories;
        scene.machine.podStatus = () => ({ phase: "Pending" });
        await assert.rejects(scene.run({ "wait-for-self-hosted": 0.2 }));
        writeFileSync(join(assets, "secrets/kube-controller-manager/ca.key"), "another key");
        writeFileSync(join(secrets, "stray"), "");
        await assert.rejects(scene.run({ "wait-for-self-hosted": 0.2 }));
        assert.deepEqual(
            readdirSync(secrets, { recursive: true }).sort(),
            readdirSync(join(assets, "secrets"), { recursive: true }).sort(),
        );
        assert.equal(readFileSync(join(secrets, "kube-controller-manager/ca.key"), "utf8"), "another key");
    });

    it("restarts a kubelet once if it has not registered its node", async () => {
        scene = await Scene.create();
        scene.machine.isKubeletTired = true;
        await scene.run();
        assert.equal(scene.machine.restarts, 1);
        assert.match(scene.lines.join("\n"), /^label-node: .*control-plane; its kubelet was restarted to register/m);
    });

    it("restarts the temporary apiserver if the API stops answering without it", async () => {
        scene = await Scene.create();
        scene.machine.isListenerBroken = true;
        await assert.rejects(
            scene.run(),
            /stop-temporary-apiserver: the API stopped answering \(.*ECONNREFUSED.*\), so the temporary/,
        );
        assert.ok(existsSync(join(scene.plan.directories.staticPods, "bootstrap-kube-apiserver.json")));
        scene.machine.isListenerBroken = false;
        await scene.run();
        assert.ok(existsSync(scene.stamp));
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
        const { assets, secrets } = scene.plan.directories;
        rmSync(join(assets, "static/kube-scheduler.json"));
        rmSync(join(assets, "secrets/admin/admin.key"));
        await assert.rejects(
            scene.run(),
            /verify-assets: \S+ must contain secrets\/admin\/admin.key, static\/kube-scheduler.json$/,
        );
        assert.equal(existsSync(secrets), false);
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
