import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { kubeconfig } from "../../../../cluster/kubeconfig";
import type { ClusterOptions } from "../../../../cluster/options";
import { resolveCluster } from "../../../../cluster/resolve";
import { stepNames, stepOf } from "../../../../cluster/upgrades/order";
import { createInCluster } from "../../../../components/in-cluster";
import { Addons } from "../../../../components/in-cluster/addons";
import { SelfHosted } from "../../../../components/in-cluster/control-plane";
import { NodeAgents } from "../../../../components/in-cluster/nodes";
import { type Deployed, deploy, resolved } from "../../deploy";
import { downloads, fakeCredentials, fakeTokens } from "./fixture";
import { Created, objectsOf } from "./owned-in-cluster";
import { providerOutputs } from "./provider-outputs";

/** Nothing listens there. */
const fakeKubeconfig = kubeconfig({
    cluster: "c",
    server: "https://127.0.0.1:1",
    ca: "CA",
    user: "admin",
    credentials: { cert: "certificate", key: "key" },
});

class Owner extends pulumi.ComponentResource {
    constructor() {
        super("test:index:Owner", "c");
    }
}

/** Everything that a stack manages in a cluster with so many controllers and one pool. */
function create(count: number, options: Partial<ClusterOptions> = {}) {
    const cluster = resolveCluster({ name: "c", controllers: { count }, workerPools: [{ name: "a" }], ...options });
    const program = () => {
        const controllers = cluster.controllers.names.map((name, index) => ({
            name,
            address: `10.0.0.${11 + index}`,
            resource: new Created(`machine of ${name}`),
        }));
        createInCluster(
            "c",
            {
                cluster,
                credentials: pulumi.secret(fakeCredentials(cluster)),
                approver: pulumi.secret(fakeCredentials(cluster)),
                tokens: fakeTokens(cluster),
                kubeconfig: pulumi.output(fakeKubeconfig),
                lacksIssuer: Promise.resolve(false),
                controllers,
                loadBalancer: new Created("load balancer"),
                pivot: new Created("pivot"),
                downloads: () => downloads,
                deletedWith: new Created("network"),
            },
            new Owner(),
        );
    };
    return deploy(program, { outputs: providerOutputs });
}

/** The resources of an option `dependsOn`, components included. */
async function dependedOn({ dependsOn = [] }: pulumi.ResourceOptions): Promise<object[]> {
    return [await resolved(pulumi.output(dependsOn as pulumi.Resource[]))].flat();
}

/** Base64 of a text within a longer one, which depends on its position. */
function base64Of(text: string): string[] {
    return [0, 1, 2].map((before) => {
        const encoded = Buffer.from(`${" ".repeat(before)}${text}`).toString("base64");
        // Without characters that encode other bytes too.
        return encoded.slice(before === 0 ? 0 : 4, Math.floor((before + text.length) / 3) * 4);
    });
}

describe("what a stack owns within its cluster", function () {
    this.timeout(60_000);
    let resources: Deployed[];
    const named = (name: string) => resources.find((each) => each.name === name)!;
    before(async () => {
        ({ resources } = await create(3));
    });

    it("uses one provider, which waits for the pivot and gets its kubeconfig as a secret", async () => {
        const { dependsOn, secretInputs } = resources.find(({ type }) => type === "pulumi:providers:kubernetes")!;
        assert.deepEqual(dependsOn, ["pivot"]);
        assert.deepEqual(secretInputs, ["kubeconfig"]);
        const objects = objectsOf(resources);
        assert.ok(objects.length > 40, `${objects.length}`);
        for (const { name, opts } of objects) {
            assert.ok(opts.provider, name);
            assert.match(await resolved(opts.provider.urn), /pulumi:providers:kubernetes::c$/, name);
        }
    });

    it("is deleted with the resource whose loss destroys the cluster", async () => {
        for (const { name, opts } of objectsOf(resources)) {
            assert.ok(opts.deletedWith, name);
            assert.match(await resolved(opts.deletedWith.urn), /::network$/, name);
        }
    });

    it("shows no secret: those of Kubernetes have their contents hidden, and nothing else has any", () => {
        for (const { type, name, secretInputs } of objectsOf(resources)) {
            assert.deepEqual(secretInputs, type === "kubernetes:core/v1:Secret" ? ["data"] : [], name);
        }
        const shown = resources.map(({ inputs, secretInputs }) =>
            JSON.stringify(Object.entries(inputs).filter(([input]) => !secretInputs.includes(input))),
        );
        assert.doesNotMatch(shown.join("\n"), new RegExp(["PRIVATE KEY", ...base64Of("PRIVATE KEY")].join("|")));
    });

    it("starts pods with a new Secret only once the Secret exists", () => {
        const daemonSets = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"];
        for (const name of daemonSets) {
            const { dependsOn } = named(`c/daemonset/kube-system/${name}`);
            assert.ok(dependsOn.includes(`c/secret/kube-system/${name}`), `${name}: ${dependsOn.join()}`);
        }
    });

    it("changes in the order of an upgrade's steps: each waits for the one before", async () => {
        const components = new Map<unknown, string>(
            Object.entries({ SelfHosted, Addons, NodeAgents }).map(([name, each]) => [each, name]),
        );
        const componentOf = (resource?: object) => resource && components.get(resource.constructor);
        const waited = async (name: string): Promise<string[]> => {
            const { opts, dependsOn } = named(name);
            const whole = (await dependedOn(opts)).flatMap((each) => componentOf(each) ?? []);
            const further = await Promise.all(dependsOn.filter((each) => named(each)).map(waited));
            return [...whole, ...dependsOn, ...further.flat()];
        };
        const rolled = resources.flatMap(({ type, name, opts }) => {
            const component = componentOf(opts.parent);
            const workload = /:(?:DaemonSet|Deployment)$/.test(type) ? name.split("kube-system/")[1] : undefined;
            const step = component && workload && stepOf(component, workload);
            return step ? [{ name, component, step }] : [];
        });
        const found = stepNames.filter((step) => rolled.some((each) => each.step === step));
        assert.deepEqual(found, stepNames.slice(stepNames.indexOf("checkpointer")));
        for (const [index, step] of found.slice(1).entries()) {
            const before = rolled.filter((each) => each.step === found[index]);
            for (const { name } of rolled.filter((each) => each.step === step)) {
                const all = await waited(name);
                const missing = before.filter((each) => !all.includes(each.name) && !all.includes(each.component));
                assert.deepEqual(missing, [], `${name} does not wait for them`);
            }
        }
    });

    it("runs the user's Jobs between the steps of an upgrade", async () => {
        const image = "registry.example/test:v1";
        const at = [
            ...["checkpointer", "apiserver", "controllers", "addons", "controllerKubelets", "workerKubelets"],
            // Twice, to show their order.
            "workerKubelets",
        ];
        const upgradeJobs = at.map((after, index) => ({ name: `job-${index}`, after, image }));
        const { resources: all } = await create(1, { upgradeJobs });
        const record = (index: number) => `c/configmap/kube-system/upgrade-job-job-${index}`;
        const of = (name: string) => all.find((each) => each.name === name)!;
        const waitsFor = async (name: string): Promise<unknown[]> => [
            ...of(name).dependsOn,
            ...(await dependedOn(of(name).opts)).map((each) => each.constructor),
        ];
        const set = (name: string) => `c/daemonset/kube-system/${name}`;
        assert.ok((await waitsFor(record(0))).includes(set("checkpointer")));
        assert.ok((await waitsFor(set("kube-apiserver"))).includes(record(0)));
        assert.ok((await waitsFor(record(1))).includes(set("kube-apiserver")));
        for (const name of ["kube-controller-manager", "kube-scheduler"]) {
            assert.ok((await waitsFor(set(name))).includes(record(1)), name);
            assert.ok((await waitsFor(record(2))).includes(set(name)), name);
        }
        assert.equal(of(record(2)).opts.parent?.constructor, SelfHosted);
        assert.ok((await waitsFor(set("kube-proxy"))).includes(record(2)));
        assert.ok((await waitsFor(record(3))).includes(Addons));
        const [agents] = all.filter(({ name }) => name.includes("configmap/kube-system/node-agent-controller"));
        assert.ok((await waitsFor(agents!.name)).includes(record(3)));
        assert.ok((await waitsFor(record(4))).includes(set("node-agent-controller")));
        const [workers] = all.filter(({ name }) => name.includes("configmap/kube-system/node-agent-a"));
        assert.ok((await waitsFor(workers!.name)).includes(record(4)));
        assert.ok((await waitsFor(record(5))).includes(NodeAgents));
        assert.ok((await waitsFor(record(6))).includes(record(5)));
    });

    it("admits controllers one after another: machine, etcd, role", () => {
        const join = (index: number) => named(`c/deployment/kube-system/etcd-join-c-controller-${index}`).dependsOn;
        const node = (index: number) => `c/node/c-controller-${index}`;
        assert.ok(join(1).includes("machine of c-controller-1"));
        assert.ok(join(1).includes("machine of c-controller-0"));
        assert.ok(!join(1).includes(node(2)));
        assert.ok(join(2).includes(node(1)));
        assert.deepEqual(named(node(2)).dependsOn, ["c/deployment/kube-system/etcd-join-c-controller-2"]);
    });

    it("upgrades kubelets when the add-ons have their version, and so the control plane", async () => {
        const first = resources.find(({ name }) => name.includes("configmap/kube-system/node-agent-controller"))!;
        assert.deepEqual(
            (await dependedOn(first.opts)).map((each) => each.constructor),
            [Addons],
        );
    });

    it("removes nodes when the load balancer no longer sends requests to them", () => {
        const job = resources.find(({ type }) => type.endsWith(":Job"))!;
        assert.ok(job.dependsOn.includes("load balancer"));
        assert.equal(job.opts.deleteBeforeReplace, true);
    });

    it("issues new etcd certificates and rewrites Secrets only if configured", async () => {
        const jobs = (all: readonly Deployed[]) =>
            all.flatMap(({ type, name }) => (type.endsWith(":Job") ? name.replace("c/job/kube-system/", "") : []));
        assert.deepEqual(jobs(resources), ["node-removal"]);
        const { resources: others } = await create(1, {
            certificates: { generation: 2 },
            keys: { encryption: ["plain", 1] },
        });
        assert.deepEqual(jobs(others).sort(), [
            "etcd-certificates-c-controller-0-2",
            "node-removal",
            "secrets-rewrite-plain-1",
        ]);
    });

    it("reboots nodes in turn only if windows are configured", async () => {
        const name = "c/deployment/kube-system/reboot-approver";
        assert.equal(named(name), undefined);
        const { resources: all } = await create(1, { osReboots: { windows: ["02:00-05:00"] } });
        assert.ok(all.some((each) => each.name === name));
    });

    it("runs kubelets as pods if configured, once node-agents have given the hosts' kubelets the lock", async () => {
        const name = "c/daemonset/kube-system/kubelet";
        assert.equal(named(name), undefined);
        const { resources: all } = await create(1, { selfHosted: { kubelet: true } });
        const pods = all.find((each) => each.name === name)!;
        const before = (await dependedOn(pods.opts)).map((each) => each.constructor);
        assert.ok(before.includes(NodeAgents));
    });

    it("makes members trust another CA after every kube-apiserver, which the preview reads it from", async () => {
        const { resources: all } = await create(1, { keys: { etcdCa: [1, 2] } });
        const job = all.find(({ name }) => name.endsWith("/etcd-certificates-c-controller-0-1-by-1-2"))!;
        const before = [job.opts.dependsOn].flat().map((each) => each?.constructor);
        assert.ok(before.includes(SelfHosted));
    });

    it("admits no members if there is one controller", async () => {
        const { resources: single } = await create(1);
        assert.deepEqual(
            single.filter(({ name }) => name.includes("etcd-join")),
            [],
        );
        const node = single.find(({ name }) => name === "c/node/c-controller-0")!;
        assert.deepEqual(node.dependsOn, ["machine of c-controller-0"]);
    });
});
