import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { leastBaseline } from "../../agents/upgrade-guard/decide";
import { UpgradeGuard } from "../../agents/upgrade-guard/guard";
import { Measurements } from "../../agents/upgrade-guard/measure";
import { type GuardReport, guardedPrograms, guardRecord, type UpgradeRecord } from "../../agents/upgrade-guard/record";
import { guardedList } from "../../agents/upgrade-guard/reports";
import { WayIn } from "../../agents/upgrade-guard/way-in";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import type { ConfigMap, DaemonSet, With } from "../../clients/kubernetes/objects";
import { WatchedList } from "../../clients/kubernetes/watched-list";
import { fieldManager } from "../../cluster/manifest";
import { upgradeGuard, upgradeGuardPlan } from "../../cluster/manifests/control-plane/upgrade-guard";
import type { KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { fixedCluster } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { applyAll, clientOf, permissionsOf } from "./service-account";
import { until } from "./until";

const cluster = fixedCluster();
const node = cluster.controllers.names[0]!;
const daemonSets = "/apis/apps/v1/namespaces/kube-system/daemonsets";
const configMaps = "/api/v1/namespaces/kube-system/configmaps";

describe("an upgrade guard, with a real kube-apiserver", function () {
    this.timeout(180_000);
    let api: ApiServer;
    let home: string;
    let client: ApiClient;
    let isStopped = false;
    let running: Promise<void>;

    before(async () => {
        api = await ApiServer.start({ controllers: ["daemonset-controller"] });
        await applyAll(api, permissionsOf(upgradeGuard(cluster, "")));
        for (const program of guardedPrograms) await applyAll(api, [daemonSet(program, "1.36.3")]);
        home = mkdtempSync(join(tmpdir(), "upgrade-guard-"));
        const directories = { state: home, checkpoints: join(home, "c"), staticPods: join(home, "manifests") };
        mkdirSync(directories.staticPods);
        client = await clientOf(api, "upgrade-guard");
        const measurements = new Measurements(client, node, { read: async () => ({}) }, () => performance.now());
        const guard = new UpgradeGuard(
            { ...upgradeGuardPlan(), directories },
            {
                ...{
                    api: client,
                    apiAt: () => client,
                    measurements,
                    wayIn: new WayIn(directories),
                    node,
                    pod: "a",
                    log: () => {},
                },
                watched: new WatchedList<With<ConfigMap, "uid">>(client, guardedList),
            },
        );
        const run = async () => {
            // Faster than in a cluster: its baseline would take half a minute.
            while (!isStopped) await sleep(Math.min(1_000, await guard.reconcile()));
        };
        running = run();
    });
    after(async () => {
        isStopped = true;
        await running;
        client?.reconnect();
        await api?.stop();
        rmSync(home, { recursive: true });
    });

    const send = (method: "GET" | "POST" | "DELETE", path: string, body?: object) =>
        api.http.send({ method, path, ...(body && { body }) } as Parameters<typeof api.http.send>[0]);
    const readSet = async (program: string) => (await send("GET", `${daemonSets}/${program}`)) as unknown as DaemonSet;
    const report = async () => {
        const { data = {} } = (await send("GET", `${configMaps}/${guardRecord.name}`)) as unknown as ConfigMap;
        return data[guardRecord.reportKey] === undefined
            ? undefined
            : (JSON.parse(data[guardRecord.reportKey]!) as GuardReport);
    };

    it("takes an upgrade back as soon as writes fail, with the permissions of its account", async () => {
        const state = join(home, "state.json");
        const count = () => (existsSync(state) ? JSON.parse(readFileSync(state, "utf8")).before.length : 0);
        await until("measurements before the upgrade", () => count() >= leastBaseline);
        const sets = await Promise.all(guardedPrograms.map(readSet));
        const before = Object.fromEntries(sets.map(({ metadata, spec }) => [metadata.name, spec!.template]));
        const record = {
            id: "a",
            from: "1.36.3",
            to: "1.37.1",
            began: new Date().toISOString(),
            before,
            soakSeconds: 60,
        } as UpgradeRecord;
        const data = { [guardRecord.upgradeKey]: JSON.stringify(record) };
        const metadata = { name: guardRecord.name, namespace: "kube-system" };
        await send("POST", configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata, data });
        for (const program of guardedPrograms) await applyAll(api, [daemonSet(program, "1.37.1")]);
        await until("the guard to guard", async () => (await report())?.state === "guarding");
        assert.equal((await report())!.undecided, undefined);

        await send("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", brokenWebhook);
        const began = performance.now();
        await until("the upgrade to be taken back", async () => (await report())?.state === "rolled-back");
        assert.ok(performance.now() - began < 60_000);
        assert.match((await report())!.breach!.what, new RegExp(`^the guard's writes that failed on ${node}$`));
        for (const [index, program] of guardedPrograms.entries()) {
            const { metadata, spec } = await readSet(program);
            assert.deepEqual(spec!.template, sets[index]!.spec!.template);
            const owners = metadata.managedFields?.filter(({ fieldsV1 }) =>
                JSON.stringify(fieldsV1).includes("f:template"),
            );
            assert.deepEqual([...new Set(owners?.map(({ manager }) => manager))], [fieldManager]);
        }
        const events = JSON.stringify(await send("GET", "/api/v1/namespaces/kube-system/events"));
        assert.match(events, /UpgradeTakenBack/);
    });
});

function daemonSet(program: string, version: string) {
    const labels = { "k8s-app": program };
    const containers = [{ name: program, image: `registry.example/${program}:v${version}` }];
    return {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name: program, namespace: "kube-system" },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    };
}

/** Fails every write of the guard's Lease. */
const brokenWebhook = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "broken" },
    webhooks: [
        {
            name: "broken.example.com",
            admissionReviewVersions: ["v1"],
            sideEffects: "None",
            failurePolicy: "Fail",
            timeoutSeconds: 1,
            clientConfig: { url: "https://127.0.0.1:1/" },
            rules: [
                {
                    apiGroups: ["coordination.k8s.io"],
                    apiVersions: ["v1"],
                    operations: ["UPDATE"],
                    resources: ["leases"],
                },
            ],
            objectSelector: {},
            matchConditions: [{ name: "guard", expression: 'object.metadata.name.startsWith("upgrade-guard-")' }],
        },
    ],
} as unknown as KubernetesObject;
