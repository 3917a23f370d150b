import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ec2Machines } from "../../agents/nodes/repairer/aws";
import type { CloudMachines } from "../../agents/nodes/repairer/cloud";
import { Droplets } from "../../agents/nodes/repairer/digitalocean";
import { type AwsPlace, type RepairCloud, repairAnnotation } from "../../agents/nodes/repairer/plan";
import { readRepairs, repairsConfig, waitsKey } from "../../agents/nodes/repairer/record";
import { NodeRepairer } from "../../agents/nodes/repairer/repairer";
import { instanceRole } from "../../clients/aws/instance-metadata";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import {
    nodeRepairer,
    nodeRepairerPlan,
    type Repairs,
    repairsRecord,
} from "../../cluster/manifests/nodes/node-repairer";
import { resolveRepair } from "../../cluster/repair";
import { repairerPermissions } from "../../components/aws/iam/driver-permissions";
import { policy } from "../../components/aws/iam/policy";
import { repairAccess } from "../../components/aws/in-cluster";
import type { Account } from "../../simulator/clouds/aws/account";
import { Account as DropletAccount } from "../../simulator/clouds/digitalocean/account";
import { callsOf } from "../account-calls";
import { fixedCluster } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { startServices } from "./aws-cloud-controller";
import { accountOf, controller, worker } from "./aws-cloud-controller/account";
import { runKeeper } from "./keeper";
import { applyAll, clientOf, permissionsOf } from "./service-account";

const region = "eu-central-1";
const domain = `${region}.compute.internal`;
const nodeOf = (id: string) => `${id}.${domain}`;
const foreign = "i-00000000000000003";
const repair = resolveRepair({});

describe("node-repairer with a real kube-apiserver and simulated clouds", function () {
    this.timeout(180_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-repairer-"));
    let api: ApiServer;
    let client: ApiClient;
    /** Seconds. */
    let passed = 0;
    const start = Date.parse("2030-01-01T00:00:00Z");
    const said: string[] = [];
    const at = (seconds: number) => new Date(start + seconds * 1000).toISOString().replace(/\.\d+/, "");

    const send = (path: string, body: object, method: "PATCH" | "POST" = "PATCH") =>
        api.http.send({
            method,
            path,
            ...(method === "PATCH" && { contentType: "application/merge-patch+json" }),
            body,
        });
    /** Reports like a kubelet, or like the controller that monitors it. */
    const report = async (name: string, status: "True" | "Unknown") => {
        const ready = { type: "Ready", status, reason: "x", message: "", lastTransitionTime: at(passed) };
        await send(`/api/v1/nodes/${name}/status`, { status: { conditions: [ready] } });
        await untilWatched();
    };
    /** A watch reports changes a moment later. */
    const untilWatched = () => new Promise((done) => setTimeout(done, 100));
    const annotate = (name: string, value: string | null) =>
        send(`/api/v1/nodes/${name}`, { metadata: { annotations: { [repairAnnotation]: value } } });
    const repairs = async () => {
        const path = `/api/v1/namespaces/kube-system/configmaps/${repairsConfig}`;
        const config = (await api.http.send({ method: "GET", path })) as { data?: Record<string, string> };
        return { ...readRepairs(config as never), waits: config.data?.[waitsKey] };
    };
    const entry = async (name: string) => (await repairs()).machines[name];
    const reasons = async (name: string) => {
        const { items } = (await api.http.send({ method: "GET", path: "/api/v1/namespaces/default/events" })) as {
            items: { reason: string; involvedObject: { name: string }; metadata: { creationTimestamp: string } }[];
        };
        return items
            .filter(({ involvedObject }) => involvedObject.name === name)
            .map(({ reason }) => reason)
            .sort();
    };
    const createNode = async (name: string, pool: string, isController = false) => {
        const labels = {
            "node.kubernetes.io/pool": pool,
            ...(isController && { "node-role.kubernetes.io/control-plane": "" }),
        };
        await api.cluster.create(
            { apiVersion: "v1", kind: "Node", metadata: { name, labels } },
            { fieldManager: "kubelet" },
        );
        await report(name, "True");
    };
    const agentOf = (cloud: RepairCloud, machines: CloudMachines) =>
        new NodeRepairer({
            api: client,
            plan: { ...nodeRepairerPlan({ repair }), cloud },
            cloud: machines,
            log: (line) => said.push(line),
            clock: () => passed,
            now: () => start + passed * 1000,
        });
    /** Lets time pass, in which the agent reconciles every 20 seconds, and then as long as it does something. */
    const pass = async (agent: NodeRepairer, seconds: number) => {
        for (let left = seconds; left > 0; left -= 20) {
            passed += 20;
            while (await agent.reconcile()) await untilWatched();
        }
    };

    before(async () => {
        api = await ApiServer.start();
        const all: Repairs = { repair };
        await applyAll(api, [...permissionsOf(nodeRepairer(fixedCluster(), all, "text")), repairsRecord(all)]);
        client = await clientOf(api, "node-repairer");
        for (const index of [0, 1, 2]) await createNode(`c-controller-${index}`, "controller", true);
        for (const id of [worker, foreign, "i-00000000000000004", "i-00000000000000005"])
            await createNode(nodeOf(id), "default");
        await runKeeper(api);
        const members = [0, 1, 2].map((index) => ({ name: `c-controller-${index}`, isLearner: false }));
        const body = { metadata: { name: "etcd-status" }, data: { members: JSON.stringify({ members }) } };
        await send("/api/v1/namespaces/kube-system/configmaps", body, "POST");
    });
    after(async () => {
        client?.reconnect();
        await api?.stop();
        rmSync(folder, { recursive: true });
    });

    describe("on AWS", () => {
        let account: Account;
        let services: ChildProcess;
        let place: AwsPlace;
        let machines: Ec2Machines;
        let agent: NodeRepairer;

        const tags = (id: string) => account.resources.instances[id]!.tags;
        const permit = (permissions: Parameters<typeof policy>[0]) =>
            account.put("rolePolicies", "repairer", { name: "r", role: "c-controllers", policy: policy(permissions) });

        before(async () => {
            account = accountOf(join(folder, "aws.json"));
            permit(repairerPermissions({ cluster: "c", region }));
            const spec = { ami: "ami-1", instanceType: "t3.medium", userData: "{}", groups: [] };
            account.put("launchTemplates", "lt-1", { name: "c-default", versions: [spec] });
            const group = { targetGroups: [], subnets: ["subnet-1"], spec, isSpot: false, rebalances: false };
            const sizes = { least: 0, most: 3, desired: 1, createdFrom: "lt-1:1" };
            const named = { name: "c-default", calls: "c-default", tags: tags(worker)! };
            account.put("autoScalingGroups", "c-default", { ...named, ...group, ...sizes });
            account.change("instances", worker, (now) => ({ ...now, createdBy: "c-default", createdFrom: "lt-1:1" }));
            account.change("instances", controller, (now) => ({
                ...now,
                tags: { ...now.tags, Name: "c-controller-0" },
            }));
            account.put("instances", foreign, { ...account.resources.instances[worker]!, machine: foreign, tags: {} });
            const started = await startServices(account.path);
            services = started.process;
            const url = `http://127.0.0.1:${started.port}`;
            const { cloud } = repairAccess("c", { region });
            place = { ...(cloud as AwsPlace), ec2: url, autoScaling: url };
            machines = new Ec2Machines(place, () => instanceRole(url));
            agent = agentOf(place, machines);
            await pass(agent, 20);
        });
        after(() => services?.kill());

        it("restarts an instance, and calls again if EC2 has too many requests", async () => {
            await report(nodeOf(worker), "Unknown");
            await pass(agent, 280);
            assert.equal(await entry(nodeOf(worker)), undefined);
            await pass(agent, 200);
            const { state, isRequested, problem } = (await entry(nodeOf(worker)))!;
            assert.deepEqual(
                { state, isRequested, problem },
                { state: "restarting", isRequested: true, problem: undefined },
            );
            assert.ok(callsOf(account).some((call) => call.includes(`ec2:RebootInstances`) && call.includes(worker)));
            assert.deepEqual(await reasons(nodeOf(worker)), ["MachineRestart"]);
        });

        it("has its group replace it if it is still not Ready, also after a kill", async () => {
            await pass(agent, 300);
            assert.ok(account.resources.instances[worker]);
            // Another agent continues from the record, but grants the restart its ten minutes again.
            agent = agentOf(place, machines);
            await pass(agent, 580);
            assert.equal((await entry(nodeOf(worker)))?.state, "restarting");
            await pass(agent, 120);
            assert.equal((await entry(nodeOf(worker)))?.state, "replacing");
            assert.equal(account.resources.instances[worker], undefined);
            assert.equal(account.find("autoScalingGroups", "c-default").desired, 1);
            assert.deepEqual(await reasons(nodeOf(worker)), ["MachineReplacement", "MachineRestart"]);
            // As if it had been killed between the call and the write.
            for (let attempt = 0; ; attempt++) {
                try {
                    assert.equal(await machines.replacing({ name: nodeOf(worker), isController: false }), undefined);
                    break;
                } catch (error) {
                    assert.match(`${error}`, /RequestLimitExceeded/);
                    assert.ok(attempt < 3);
                }
            }
        });

        it("replaces no other machine of the small pool within the hour", async () => {
            await api.http.send({ method: "DELETE", path: `/api/v1/nodes/${nodeOf(worker)}` });
            await report(nodeOf(foreign), "Unknown");
            await pass(agent, 400);
            assert.equal(await entry(nodeOf(worker)), undefined);
            assert.equal(await entry(nodeOf(foreign)), undefined);
            assert.match((await repairs()).waits ?? "", /1 of at most 1 machines of default are under repair, or were/);
        });

        it("never touches an instance without the cluster's tag, and says why", async () => {
            await pass(agent, 3600);
            const { state, isRequested, problem = "" } = (await entry(nodeOf(foreign)))!;
            assert.deepEqual([state, isRequested], ["restarting", undefined]);
            assert.match(problem, /EC2 lists no instance of .* with the tag kubernetes.io\/cluster\/c|RequestLimit/);
            assert.ok(!callsOf(account).some((call) => call.includes("RebootInstances") && call.includes(foreign)));
            await report(nodeOf(foreign), "True");
            await pass(agent, 20);
            assert.equal((await entry(nodeOf(foreign)))?.state, "recovered");
        });

        it("restarts a controller by its name, if the others are healthy", async () => {
            await report("c-controller-0", "Unknown");
            await annotate("c-controller-0", "off");
            await pass(agent, 400);
            assert.equal(await entry("c-controller-0"), undefined);
            await annotate("c-controller-0", null);
            await pass(agent, 300);
            const { isRequested, problem } = (await entry("c-controller-0"))!;
            assert.deepEqual([isRequested, problem], [true, undefined]);
            assert.ok(
                callsOf(account).some((call) => call.includes("ec2:RebootInstances") && call.includes(controller)),
            );
            await pass(agent, 900);
            assert.equal((await entry("c-controller-0"))?.state, "manual");
            assert.ok(account.resources.instances[controller]);
            await report("c-controller-0", "True");
            await pass(agent, 20);
        });

        it("records what it lacks permission for, and goes on once it has it", async () => {
            const name = nodeOf("i-00000000000000004");
            permit([]);
            const like = account.resources.instances[controller]!;
            account.put("instances", "i-00000000000000004", { ...like, machine: "i-00000000000000004" });
            await report(name, "Unknown");
            await pass(agent, 500);
            assert.match((await entry(name))!.problem ?? "", /Unauthorized|RequestLimitExceeded/);
            permit(repairerPermissions({ cluster: "c", region }));
            for (let left = 1200; left > 0 && !(await entry(name))!.isRequested; left -= 20) await pass(agent, 20);
            const { isRequested, problem } = (await entry(name))!;
            assert.deepEqual([isRequested, problem], [true, undefined]);
            await report(name, "True");
            await pass(agent, 20);
        });
    });

    describe("on DigitalOcean", () => {
        let account: DropletAccount;
        let services: ChildProcess;
        let agent: NodeRepairer;
        const token = "dop_v1_repair";
        const name = "c-default-1";

        before(async () => {
            account = DropletAccount.open(join(folder, "do.json"), { domains: [], images: {}, sshKeys: [] });
            account.put("vpcs", "v", { name: "c", region: "fra1", ipRange: "10.9.0.0/24" });
            const droplet = { region: "fra1", vpc: "v", tags: ["c"], address: "10.9.0.10" };
            for (const index of [0, 1])
                account.put("droplets", `40000000${index}`, { ...droplet, name: `c-default-${index}` });
            account.put("droplets", "400000009", { ...droplet, name, tags: ["other"] });
            account.behave({ apiTokens: { [token]: ["droplet:read"] } });
            const started = await startServices(account.path, "digitalocean");
            services = started.process;
            const cloud = { api: `http://127.0.0.1:${started.port}`, tag: "c" };
            agent = agentOf(cloud, new Droplets(cloud, token));
            await createNode(name, "droplets");
            await pass(agent, 20);
        });
        after(() => services?.kill());

        it("power-cycles a droplet, whatever refuses it for a while", async () => {
            await report(name, "Unknown");
            await pass(agent, 320);
            assert.match((await entry(name))!.problem ?? "", /403 .*droplet:update/);
            account.behave({
                apiTokens: { [token]: ["droplet:read", "droplet:update"] },
                busy: { [name]: 1 },
                throttled: 1,
            });
            await pass(agent, 100);
            assert.match((await entry(name))!.problem ?? "", /422 .*pending event|429/);
            await pass(agent, 400);
            const { isRequested, problem } = (await entry(name))!;
            assert.deepEqual([isRequested, problem], [true, undefined]);
            assert.ok(account.secondsLocked(name) > 0);
        });

        it("leaves it to a person if that does not help", async () => {
            await pass(agent, 1200);
            assert.equal((await entry(name))?.state, "manual");
            assert.deepEqual(await reasons(name), ["MachineNeedsRepair", "MachineRestart"]);
            await report(name, "True");
            await pass(agent, 20);
            assert.ok((await reasons(name)).includes("MachineRecovered"));
        });

        it("leaves a droplet that a person has turned off as it is", async () => {
            account.change("droplets", "400000001", (now) => ({ ...now, isOff: true }));
            await report(name, "Unknown");
            await pass(agent, 700);
            const { state, why } = (await entry(name))!;
            assert.equal(state, "manual");
            assert.match(why, /its droplet 400000001 is off/);
        });
    });
});
