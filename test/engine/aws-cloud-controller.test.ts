import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { awsAccess } from "../../agents/clean-up/aws";
import { sweep } from "../../agents/clean-up/sweep";
import { ensure } from "../../artifacts";
import { cloudControllerPermissions } from "../../components/aws/iam/cloud-controller-permissions";
import type { Account } from "../../simulator/clouds/aws/account";
import { at, type KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { callsOf, deniedTo } from "../account-calls";
import { describeLong } from "../takes-long";
import { ApiServer } from "./apiserver";
import { startController, startServices } from "./aws-cloud-controller";
import { accountOf, controller, owner, worker } from "./aws-cloud-controller/account";
import type { Program } from "./kubernetes-fixture/process";
import { until } from "./until";

const tag = "kubernetes.io/cluster/c";
const annotations = { "service.beta.kubernetes.io/aws-load-balancer-type": "nlb" };

// Building the program the first time takes seven minutes.
describeLong("AWS' own cloud controller with its permissions in a simulated account", function () {
    this.timeout(180_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-ccm-"));
    let api: ApiServer;
    let account: Account;
    let services: ChildProcess;
    let program: Program;
    let endpoint: string;

    const read = async (kind: "Node" | "Service", name: string) => {
        const metadata = { name, ...(kind === "Service" && { namespace: "default" }) };
        return (await api.cluster.get({ apiVersion: "v1", kind, metadata } as KubernetesObject))!;
    };
    /** Waits, and immediately reports a missing permission. */
    const eventually = (what: string, is: () => Promise<boolean> | boolean) =>
        until(what, async () => {
            assert.deepEqual(deniedTo(account), []);
            return is();
        });

    const service = (name: string, more: object = {}) => ({
        apiVersion: "v1",
        kind: "Service",
        metadata: { name, namespace: "default", ...more },
        spec: { type: "LoadBalancer", selector: { app: "a" }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    /** Changes the spec, as a user's edit does. */
    const edit = async (name: string, change: object) => {
        const before = await read("Service", name);
        const spec = { ...(before.spec as object), ...change };
        const path = `/api/v1/namespaces/default/services/${name}`;
        await api.http.send({ method: "PUT", path, body: { ...before, spec } });
    };
    const annotate = async (name: string, change: Readonly<Record<string, string | null>>) => {
        const prefix = "service.beta.kubernetes.io/aws-load-balancer-";
        const all = Object.entries(change).map(([key, value]) => [prefix + key, value]);
        const path = `/api/v1/namespaces/default/services/${name}`;
        const body = { metadata: { annotations: Object.fromEntries(all) } };
        await api.http.send({ method: "PATCH", path, contentType: "application/merge-patch+json", body });
    };
    const addressOf = async (name: string) => {
        const ingress = at(await read("Service", name), "status", "loadBalancer", "ingress");
        return (ingress as { hostname?: string }[] | undefined)?.[0]?.hostname;
    };
    const rulesOf = (group: string) =>
        account
            .all("securityRules")
            .filter((rule) => rule.group === group && rule.isIngress)
            .map(({ protocol, fromPort, toPort, cidr, peer }) => ({ protocol, fromPort, toPort, cidr, peer }));

    /** In addition to what the stack created. */
    const madeByController = () => {
        const { resources } = account;
        const { classicLoadBalancers, loadBalancers, targetGroups, listeners, targets, securityRules } = resources;
        const all = [classicLoadBalancers, loadBalancers, targetGroups, listeners, targets, securityRules];
        const others = Object.keys(resources.securityGroups).filter((id) => !/^sg-[1-4]$/.test(id));
        return [...all.flatMap((each) => Object.keys(each)), ...others];
    };

    before(async () => {
        await ensure({ only: ["aws-cloud-controller"], say: () => {} });
        account = accountOf(join(folder, "account.json"));
        api = await ApiServer.start();
        const started = await startServices(account.path);
        services = started.process;
        endpoint = `http://127.0.0.1:${started.port}`;
        for (const [name, id] of [
            ["c-controller-0", controller],
            [worker, worker],
        ]) {
            const uninitialized = { key: "node.cloudprovider.kubernetes.io/uninitialized", effect: "NoSchedule" };
            const spec = { providerID: `aws:///eu-central-1a/${id}`, taints: [{ ...uninitialized, value: "true" }] };
            const role = { "node-role.kubernetes.io/control-plane": "" };
            const labels =
                name === "c-controller-0"
                    ? { ...role, "node.kubernetes.io/exclude-from-external-load-balancers": "" }
                    : {};
            const { address, address6 } = account.find("instances", id!);
            const annotations = { "alpha.kubernetes.io/provided-node-ip": `${address},${address6}` };
            const node = { apiVersion: "v1", kind: "Node", metadata: { name, labels, annotations }, spec };
            await api.cluster.create(node as unknown as KubernetesObject, { fieldManager: "kubelet" });
        }
        program = await startController(api, folder, started.port);
        program.start();
        await program.until(async () => callsOf(account).length > 0, 30);
    });
    after(async () => {
        await program?.stop();
        services?.kill();
        await api?.stop();
        rmSync(folder, { recursive: true, force: true });
    });

    it("initializes nodes with their instances' data and removes their taint", async () => {
        for (const name of ["c-controller-0", worker]) {
            await eventually(`${name} is initialized`, async () => {
                const taints = (at(await read("Node", name), "spec", "taints") ?? []) as { key: string }[];
                return !taints.some(({ key }) => key.includes("uninitialized"));
            });
        }
        const labels = (await read("Node", worker)).metadata?.labels;
        assert.equal(labels?.["topology.kubernetes.io/zone"], "eu-central-1a");
        assert.equal(labels?.["topology.kubernetes.io/region"], "eu-central-1");
        assert.equal(labels?.["node.kubernetes.io/instance-type"], "t3.medium");
        assert.deepEqual(at(await read("Node", worker), "status", "addresses"), [
            // The node's kubelet has provided both; AWS knows both.
            { type: "InternalIP", address: "10.9.0.5" },
            { type: "InternalIP", address: "2001:db8::5" },
            { type: "InternalDNS", address: `${worker}.eu-central-1.compute.internal` },
            { type: "Hostname", address: `${worker}.eu-central-1.compute.internal` },
        ]);
    });

    it("creates a classic load balancer for a Service, and allows only that to reach the workers' group", async () => {
        await api.cluster.create(service("classic") as unknown as KubernetesObject, { fieldManager: "test" });
        await eventually("an address", async () => (await addressOf("classic")) !== undefined);
        const [created] = account.all("classicLoadBalancers");
        assert.deepEqual(
            [created!.instances, created!.subnets, created!.createdBy],
            [[worker], ["subnet-1", "subnet-2"], "c-controllers"],
        );
        assert.equal(created!.tags?.[tag], "owned");
        assert.equal(created!.ports[0]!.port, 80);
        const [group] = created!.groups;
        const open = { fromPort: undefined, toPort: undefined, cidr: undefined };
        assert.deepEqual(rulesOf("sg-3"), [{ ...open, protocol: "-1", peer: group }]);
        assert.deepEqual([rulesOf("sg-1"), rulesOf("sg-2")], [[], []]);
        const tcp = rulesOf(group!).find(({ protocol }) => protocol === "tcp");
        assert.deepEqual(tcp, { protocol: "tcp", fromPort: 80, toPort: 80, cidr: "0.0.0.0/0", peer: undefined });
    });

    it("follows the Service's ports and its allowed source ranges", async () => {
        const other = { port: 81, targetPort: 8080 };
        await edit("classic", { ports: [other], loadBalancerSourceRanges: ["10.0.0.0/8"] });
        const ports = () => account.all("classicLoadBalancers")[0]!.ports.map(({ port }) => port);
        await eventually("the other port", () => ports().join() === "81");
        const [group] = account.all("classicLoadBalancers")[0]!.groups;
        await eventually("the other rule", () => rulesOf(group!).every(({ cidr }) => cidr === "10.0.0.0/8"));
    });

    it("creates a network load balancer for a Service that requests one", async () => {
        const object = service("network", { annotations }) as unknown as KubernetesObject;
        await api.cluster.create(object, { fieldManager: "test" });
        await eventually("an address", async () => (await addressOf("network")) !== undefined);
        const [arn] = Object.keys(account.resources.loadBalancers);
        const [listener] = account.all("listeners");
        assert.deepEqual([listener!.loadBalancer, listener!.port], [arn, 80]);
        assert.deepEqual(
            account.all("targets").map(({ instance }) => instance),
            [worker],
        );
        await eventually("an open group", () => rulesOf("sg-3").some(({ cidr }) => cidr === "0.0.0.0/0"));
    });

    it("follows the ports of that Service, too", async () => {
        await edit("network", { ports: [{ port: 82, targetPort: 8080 }] });
        await eventually(
            "the other port",
            () =>
                account
                    .all("listeners")
                    .map(({ port }) => port)
                    .join() === "82",
        );
    });

    it("follows the set of nodes", async () => {
        const exclude = async (value: boolean) => {
            const labels = { "node.kubernetes.io/exclude-from-external-load-balancers": String(value) };
            const path = "/api/v1/nodes/c-controller-0";
            const contentType = "application/merge-patch+json";
            await api.http.send({ method: "PATCH", path, contentType, body: { metadata: { labels } } });
        };
        // The former target group may still exist: its targets do not count.
        const forwarded = () => account.all("listeners").map(({ targetGroup }) => targetGroup);
        const registered = () => [
            account.all("classicLoadBalancers")[0]!.instances.length,
            account.all("targets").filter(({ targetGroup }) => forwarded().includes(targetGroup)).length,
        ];
        for (const [isOut, count] of [
            [false, 2],
            [true, 1],
        ] as const) {
            await exclude(isOut);
            await eventually(`${count} instances`, () => registered().every((each) => each === count));
        }
    });

    it("changes the Service's node port and its health check on request", async () => {
        const spec = { ports: [{ port: 82, targetPort: 8080, nodePort: 30_999 }] };
        await edit("network", spec);
        await eventually(
            "another target group",
            () =>
                account
                    .all("targetGroups")
                    .map(({ port }) => port)
                    .join() === "30999",
        );
        await edit("network", { ...spec, externalTrafficPolicy: "Local" });
        await eventually("a check by HTTP", () =>
            account.all("targetGroups").every(({ check }) => check?.path === "/healthz"),
        );
    });

    it("applies the Services' annotations: subnets, groups, attributes", async () => {
        const classic = () => account.all("classicLoadBalancers")[0]!;
        await annotate("classic", { "extra-security-groups": "sg-4", subnets: "subnet-1" });
        await eventually(
            "the annotations' values",
            () => classic().subnets.length === 1 && classic().groups.includes("sg-4"),
        );
        await annotate("classic", { "extra-security-groups": null, subnets: null });
        await eventually("the original values", () => classic().subnets.length === 2 && classic().groups.length === 1);
        await annotate("network", {
            "healthcheck-healthy-threshold": "3",
            "target-group-attributes": "preserve_client_ip.enabled=false",
        });
        await eventually("another threshold, and attributes", () => {
            const desired = ["ModifyTargetGroup ", "ModifyTargetGroupAttributes "];
            return desired.every((action) => callsOf(account).some((line) => line.includes(`:${action}`)));
        });
    });

    it("removes everything with the Services", async () => {
        for (const name of ["classic", "network"]) {
            await api.cluster.delete(await read("Service", name), "Background");
        }
        await eventually("no load balancer, group or rule is left", () => {
            return madeByController().length === 0;
        });
    });

    it("deletes the Node of a terminated instance", async () => {
        account.remove("instances", worker);
        const condition = {
            type: "Ready",
            status: "Unknown",
            reason: "gone",
            lastHeartbeatTime: new Date().toISOString(),
        };
        const node = await read("Node", worker);
        const status = { ...(at(node, "status") as object), conditions: [condition] };
        await api.http.send({
            method: "PUT",
            path: `/api/v1/nodes/${worker}/status`,
            body: { ...node, status } as object,
        });
        const isThere = async () => {
            const list = await api.http.send({ method: "GET", path: "/api/v1/nodes" });
            return JSON.stringify(list).includes(`"name":"${worker}"`);
        };
        await eventually("no Node", async () => !(await isThere()));
    });

    it("leaves resources behind when its cluster dies, which a clean-up finds and deletes", async () => {
        for (const [name, more] of [
            ["classic", {}],
            ["network", { annotations }],
        ] as const) {
            await api.cluster.create(service(name, more) as unknown as KubernetesObject, { fieldManager: "test" });
            await eventually("an address", async () => (await addressOf(name)) !== undefined);
        }
        await program.stop();
        const env = {
            AWS_ENDPOINT_URL: endpoint,
            AWS_ACCESS_KEY_ID: owner.accessKeyId,
            AWS_SECRET_ACCESS_KEY: owner.secretAccessKey,
        };
        const place = { kind: "aws", region: "eu-central-1", vpcId: "vpc-1" } as const;
        const tags = { clusterTag: tag, ownTag: "tradewind.dev/cluster" };
        const access = () => awsAccess({ ...place, ...tags }, env);
        await sweep({ access, print: () => {}, timeoutSeconds: 20, findByHand: [] });
        assert.deepEqual(madeByController(), []);
    });

    it("lacked no permission in the account, and used those of its permissions that these Services need", () => {
        assert.deepEqual(deniedTo(account), []);
        const used = new Set(callsOf(account).map((line) => line.split(" ")[1]));
        const unused = cloudControllerPermissions({ cluster: "c", region: "eu-central-1", vpcId: "vpc-1" })
            .flatMap(({ actions }) => actions)
            .filter((action) => !used.has(action));
        // For TLS and the proxy protocol, which are not simulated.
        const others = unused.filter((action) => !/Polic(y|ies)/.test(action));
        assert.deepEqual(others, []);
    });
});
