import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { ApiClient, Call } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import { keysAnnotations } from "../../../../cluster/keys/lists";
import { kubeconfig } from "../../../../cluster/kubeconfig";
import { poolLabel } from "../../../../cluster/labels";
import { firstStart } from "../../../../cluster/machines/bootstrap/assets";
import { etcdStaticPod } from "../../../../cluster/manifests/etcd/member";
import { nodeAgent } from "../../../../cluster/manifests/nodes/node-agent";
import type { Cluster } from "../../../../cluster/model";
import type { ClusterOptions } from "../../../../cluster/options";
import { resolveCluster } from "../../../../cluster/resolve";
import type { RunningEtcd } from "../../../../cluster/upgrades/checks";
import type { PoolDownloads } from "../../../../components/upgrade/download-problems";
import { checkUpgrade, whenUpgradable } from "../../../../components/upgrade/guard";
import { deploy, resolved } from "../../deploy";
import { downloads, podSpecOf } from "../in-cluster/fixture";
import { shownApi } from "./illegal/shown-api";
import { base, reportedCluster, shownCluster } from "./illegal/shown-cluster";
import type { Situation } from "./illegal/situation";
import { Created, Owner } from "./owner";

/** For an API that does not respond. */
const nobodys = kubeconfig({
    ...{ cluster: "c", server: "https://127.0.0.1:1", ca: "", user: "admin" },
    credentials: { cert: "", key: "" },
});

const lax = { certificates: { kubeletServing: "own" }, podSecurity: { enforce: "privileged" } };
const of = (options: Partial<ClusterOptions> = {}): Cluster => resolveCluster({ name: "c", ...lax, ...options });

const keeper = { metadata: { name: "etcd-keeper" }, spec: { replicas: 1 }, status: { readyReplicas: 1 } };

/** Requests made every time, whatever changes. */
const isAboutAdmission = /dryRun=All|admissionregistration|limitranges|nodes\?limit|namespaces\/kube-[a-z-]+$/;

/** An API in front of a cluster in the state `now`. */
function fakeApi(now: Cluster, members: readonly RunningEtcd[], refusal?: string) {
    const asked: string[] = [];
    const machine = { name: "c-controller-0", address: "10.0.0.11" };
    const call = async (path: string, { method = "GET" }: Call = {}) => {
        if (isAboutAdmission.test(path)) {
            if (refusal !== undefined && path.includes("pods?dryRun")) throw new ApiError(403, refusal);
            return { items: [] };
        }
        const what = `${method} ${path.split("?")[0]!.split("/").at(-1)}`;
        if (!asked.includes(what)) asked.push(what);
        if (path.endsWith("/daemonsets/kube-apiserver")) {
            const containers = [{ name: "kube-apiserver", image: now.images.kubeApiserver }];
            return {
                metadata: { name: "kube-apiserver", uid: "1" },
                spec: { template: { metadata: { annotations: keysAnnotations(now.keys) }, spec: { containers } } },
            };
        }
        if (path.endsWith("k8s-app%3Detcd")) {
            const { spec } = etcdStaticPod(now, firstStart(machine));
            return { items: [{ spec: { ...(spec as object), nodeName: machine.name } }] };
        }
        if (path.endsWith("/deployments/etcd-keeper")) return keeper;
        return path.includes("etcd-status") ? { data: { members: JSON.stringify({ members }) } } : { items: [] };
    };
    return { api: { call } as unknown as ApiClient, asked };
}

/** Warnings: without an engine, the SDK logs to the console. */
async function warned(during: () => Promise<unknown>): Promise<string[]> {
    const reported: string[] = [];
    const { warn } = console;
    console.warn = (message: string) => reported.push(message);
    try {
        await during();
    } finally {
        console.warn = warn;
    }
    return reported;
}

/** Requests of a preview, and its error. */
async function preview(now: Cluster, desired: Cluster, members: readonly RunningEtcd[] = [], refused?: string) {
    const { api, asked } = fakeApi(now, members, refused);
    const program = () => ({ checked: refusalOf(checkUpgrade(api, desired, new Owner())) });
    const { result } = await deploy(program, { isPreview: true });
    return { asked, refusal: await result.checked };
}

/** The error; nothing if there was none. */
function refusalOf(checked: Promise<unknown>): Promise<string | undefined> {
    return checked.then(
        () => undefined,
        (error: Error) => error.message,
    );
}

const debug = { components: { etcd: { "log-level": "debug" } } };
const away = { name: "c-controller-0", problem: "it does not answer" };

describe("the guard of upgrades, in a preview", () => {
    it("refuses CAs that the API rejects, and refuses nothing while it is unreachable", async () => {
        const refused = async (code: string) => {
            const call = () => Promise.reject(Object.assign(new Error("no"), { code }));
            const program = () => ({
                checked: refusalOf(
                    checkUpgrade({ call } as unknown as ApiClient, of({ keys: { kubernetesCa: [2] } }), new Owner()),
                ),
            });
            return (await deploy(program, { isPreview: true })).result.checked;
        };
        assert.match(
            (await refused("UNABLE_TO_VERIFY_LEAF_SIGNATURE"))!,
            /^c cannot change to these keys yet:\n {2}keys\.kubernetesCa must be a list with the CA of/,
        );
        assert.deepEqual(await warned(async () => assert.equal(await refused("ECONNREFUSED"), undefined)), [
            "warning: [runtime] c: upgrade checks were skipped because the API is unreachable: no; run `tradewind status` to see what is wrong, and run the preview again once the API responds",
        ]);
    });

    it("reports whether the cluster itself was checked", async () => {
        const reported = async (call: ApiClient["call"]) => {
            const asks = () => checkUpgrade({ call } as ApiClient, of(), new Owner()).then(({ wasAsked }) => wasAsked);
            const { result } = await deploy(() => ({ checked: asks() }), { isPreview: true });
            return result.checked;
        };
        assert.equal(await reported(fakeApi(of(), []).api.call), true);
        assert.equal(await reported(() => Promise.reject(new Error("no"))), false);
        assert.equal(await reported(() => Promise.reject(new ApiError(404, "no such DaemonSet"))), false);
    });

    it("says nothing about a new cluster", async () => {
        const reported = async (isThere: boolean) => {
            const program = () => {
                const access = { kubeconfig: pulumi.output(nobodys), lacksIssuer: Promise.resolve(false) };
                const { kubeconfig } = whenUpgradable(of(), access, new Created("pivot"), new Owner());
                return { kubeconfig };
            };
            const outputs = () => (isThere ? {} : { id: "" });
            return warned(async () =>
                resolved((await deploy(program, { isPreview: true, outputs })).result.kubeconfig),
            );
        };
        assert.deepEqual(await reported(false), []);
        assert.equal((await reported(true)).length, 1);
    });

    it("warns of a version that this release was not tested with", async () => {
        const program = () => {
            const access = { kubeconfig: new Created("authority").pem, lacksIssuer: Promise.resolve(false) };
            const untested = of({ kubernetesVersion: "1.36.99" });
            const { kubeconfig } = whenUpgradable(untested, access, new Created("pivot"), new Owner());
            return { kubeconfig };
        };
        const warnings = await warned(async () => deploy(program, { isPreview: true, outputs: () => ({ id: "" }) }));
        assert.match(warnings.join("\n"), /kubernetesVersion: 1\.36\.99 was not tested with this release/);
    });

    it("refuses to start with a CA that an existing cluster does not have", async () => {
        const cluster = of({ keys: { kubernetesCa: [2, 1] } });
        const program = () => {
            const access = { kubeconfig: new Created("authority").pem, lacksIssuer: Promise.resolve(true) };
            whenUpgradable(cluster, access, new Created("pivot"), new Owner());
        };
        await assert.rejects(
            deploy(program, { isPreview: true }),
            /keys\.kubernetesCa must be a list that begins with an existing generation: 2 must be trusted everywhere/,
        );
    });

    it("reads the configuration, including networks, and only etcd if nothing changed", async () => {
        const { asked, refusal } = await preview(of(), of(), [away]);
        const sets = ["GET kube-apiserver", "GET kube-controller-manager", "GET kube-scheduler"];
        assert.deepEqual(asked.toSorted(), [
            "GET controllers",
            "GET desired-nodes",
            "GET flannel",
            "GET jobs",
            ...sets.slice(0, 2),
            "GET kube-router",
            ...sets.slice(2),
            "GET nodes",
            "GET pods",
            "GET tradewind-upgrade",
        ]);
        assert.equal(refusal, undefined);
    });

    it("refuses any change if kube-system would not admit the control plane's pods, and says what to remove", async () => {
        const quota = 'pods "x" is forbidden: exceeded quota: q, requested: pods=1, used: pods=9, limited: pods=0';
        const { refusal, asked } = await preview(of(), of(), [], quota);
        assert.equal(
            refusal,
            [
                "c can't change anything:",
                "  the ResourceQuota q of kube-system refuses pods of kube-apiserver: exceeded quota: q, requested: pods=1, used: pods=9, limited: pods=0",
                "    remove it: kubectl -n kube-system delete resourcequota q",
                "To proceed anyway, skip these checks: upgradeOverrides: [admission]",
            ].join("\n"),
        );
        assert.ok(!asked.includes("GET pods"), "etcd's pods would be missing for the same reason");
        const overridden = of({ upgradeOverrides: ["admission"] });
        assert.equal((await preview(of(), overridden, [], quota)).refusal, undefined);
    });

    it("checks etcd members before their flags change, and changes nothing itself", async () => {
        const { asked, refusal } = await preview(of(), of(debug), [{ name: "c-controller-0", version: "3.6.8" }]);
        assert.equal(refusal, undefined);
        assert.ok(asked.includes("GET etcd-status"));
        assert.deepEqual(
            asked.filter((each) => !each.startsWith("GET ")),
            [],
        );
    });

    it("refuses to change etcd while a member is not healthy, unless that is overridden", async () => {
        const { refusal } = await preview(of(), of(debug), [away]);
        assert.match(refusal!, /^c can't change its etcd:\n {2}the etcd of c-controller-0 must be healthy first/);
        const { refusal: none } = await preview(of(), of({ ...debug, upgradeOverrides: ["etcd"] }), [away]);
        assert.equal(none, undefined);
    });

    it("warns of an override without effect, which would hide problems later", async () => {
        const overriding = (upgradeOverrides: string[]) => of({ upgradeOverrides });
        const reported = (desired: Cluster) => warned(async () => void (await preview(of(), desired, [])));
        const [warning, ...others] = await reported(overriding(["etcd", "flags", "health"]));
        assert.match(warning!, /upgradeOverrides: \[etcd, health\] has no effect now, .*: remove it/);
        assert.deepEqual(others, []);
        assert.deepEqual(await reported(overriding(["flags"])), []);
    });

    it("refuses a version of etcd that must not follow, with Kubernetes' own version unchanged", async () => {
        const older = { name: "c-controller-0", version: "3.5.25" };
        const { refusal } = await preview(of(), of({ etcdVersion: "3.6.16" }), [older]);
        assert.match(refusal!, /the etcd of c-controller-0 must be 3\.5\.26 or newer before 3\.6\.16 \(got 3\.5\.25\)/);
    });

    it("names the user's Jobs in the order, and runs those before the snapshot first; one that fails stops the up", async () => {
        const image = "registry.example/test:v1";
        const upgradeJobs = [
            { name: "check", before: "snapshot", image },
            { name: "smoke", after: "apiserver", image },
        ];
        const older = reportedCluster({ kubernetesVersion: "1.35.4" });
        const run = async (end: "Complete" | "Failed" | undefined) => {
            const shown = shownApi(shownCluster(older, {} as Situation));
            const changed: string[] = [];
            const call = async (path: string, { method = "GET", ...more }: Call = {}) => {
                if (method !== "GET" && !path.includes("dryRun")) {
                    const { kind, metadata } = more.body as { kind: string; metadata: { name: string } };
                    return changed.push(`${method} ${kind} ${metadata.name.replace(/^check-.*/, "check")}`);
                }
                if (path.includes("/jobs/check-")) return { status: { conditions: [{ type: end, status: "True" }] } };
                return shown.call(path, { method, ...more });
            };
            const desired = resolveCluster({ ...base, kubernetesVersion: "1.36.3", upgradeJobs });
            const checked = () => refusalOf(checkUpgrade({ call } as unknown as ApiClient, desired, new Owner()));
            const said: string[] = [];
            const { log } = console;
            console.log = (text: string) => said.push(text);
            try {
                const isPreview = end === undefined;
                const { result } = await deploy(() => ({ refusal: checked() }), { isPreview });
                return { changed, said: said.join("\n"), refusal: await result.refusal };
            } finally {
                console.log = log;
            }
        };
        const previewed = await run(undefined);
        assert.deepEqual(previewed.changed, []);
        assert.equal(previewed.refusal, undefined);
        assert.match(
            previewed.said,
            /Kubernetes 1\.35\.4 becomes 1\.36\.3: the Job check, then a snapshot of etcd, .*kube-apiserver, then the Job smoke, then kube-contr/,
        );
        const records = ["PATCH ConfigMap upgrade-job-check", "PATCH ConfigMap upgrade-job-smoke"];
        const failed = await run("Failed");
        assert.deepEqual(failed.changed, [...records, "POST Job check"]);
        assert.match(
            failed.refusal!,
            /^c: the upgrade to Kubernetes 1\.36\.3 stops before a snapshot of etcd: the Job default\/check-\w+ failed: no log available$/,
        );
        // Then the snapshot, which this API does not have.
        assert.match((await run("Complete")).refusal!, /cronjobs\/etcd-snapshot not found/);
    });

    describe("of what machines fetch", () => {
        const pool = ({ versions }: Cluster, digit: string): PoolDownloads => {
            const kubelet = { urls: ["https://mirror.example/kubelet"], sha256: digit.repeat(64) };
            const version = versions.kubernetes;
            return { pool: "controller", architecture: "amd64", version, downloads: { ...downloads, kubelet } };
        };

        /** What a cluster whose only node is as it was told is refused with. */
        const refusal = async (now: Cluster, desired: Cluster, digit: string) => {
            const fake = fakeApi(now, []);
            const [config, set] = nodeAgent(now, { ...pool(now, "1"), maxUnavailable: 1 }, "");
            const conditions = [{ type: "Ready", status: "True" }];
            const kubeletVersion = `v${now.versions.kubernetes}`;
            const spec = { ...podSpecOf(set!), nodeName: "c-controller-0" };
            const metadata = { name: "c-controller-0", labels: { [poolLabel]: "controller" } };
            const agent = { metadata: { name: "node-agent-1" }, spec, status: { conditions } };
            const answers: Record<string, unknown> = {
                "daemonsets?labelSelector=k8s-app%3Dnode-agent": { items: [set] },
                "pods?labelSelector=k8s-app%3Dnode-agent": { items: [agent] },
                nodes: {
                    items: [{ metadata, status: { conditions, nodeInfo: { kubeletVersion, architecture: "amd64" } } }],
                },
                metrics: "",
                [config!.metadata.name]: config,
            };
            const call = async (path: string) => {
                const answer = answers[path.split("/").at(-1)!] ?? (await fake.api.call(path));
                const isOfAll = path.includes("/pods?") && decodeURIComponent(path).includes("k8s-app in (");
                return isOfAll ? { items: [...(answer as { items: unknown[] }).items, agent] } : answer;
            };
            const api = { call } as unknown as ApiClient;
            const asks = () => checkUpgrade(api, desired, new Owner(), [pool(desired, digit)]);
            const program = () => ({ checked: refusalOf(asks()) });
            return (await deploy(program, { isPreview: true })).result.checked;
        };
        const [older, newer] = [of({ kubernetesVersion: "1.35.4" }), of({ kubernetesVersion: "1.36.3" })];

        it("refuses another version with the checksum of before, unless that is overridden", async () => {
            assert.match(
                (await refusal(older, newer, "1"))!,
                /^c can't go from Kubernetes 1\.35\.4 to 1\.36\.3:\n {2}downloads\.kubelet\.sha256 must be that of kubelet 1\.36\.3 .*that of kubelet 1\.35\.4, which c-controller-0 has\)\n.*upgradeOverrides: \[checksums\]$/,
            );
            assert.equal(await refusal(older, { ...newer, upgradeOverrides: ["checksums"] }, "1"), undefined);
            assert.equal(await refusal(older, newer, "2"), undefined);
        });

        it("refuses another checksum with the version of before, and nothing where nothing changed", async () => {
            assert.match((await refusal(newer, newer, "2"))!, /^c can't have these downloads:\n/);
            assert.equal(await refusal(newer, newer, "1"), undefined);
        });
    });
});
