import assert from "node:assert/strict";
import { internalAddress } from "../../../clients/kubernetes/nodes";
import type { Node } from "../../../clients/kubernetes/objects";
import { paths } from "../../../cluster/paths";
import { createMachine, destroyMachine, exec } from "../../../machines";
import { describeLong } from "../../takes-long";
import { eventually } from "../cluster";
import { askToBe, assertLeft, forget, kubeconfigBy } from "../intruder/joining";
import { hasJoined, isNode, racked } from "../joined-machine";
import { shared, sharedCluster } from "../shared";

const node = "rack-1";
const worker = `${shared.name}-default-0`;

describeLong("a machine that the stack did not create", function () {
    this.timeout(400_000);
    let address: string;
    /** The token in the config that it booted with. */
    let token: string;
    const join = async (...args: string[]) =>
        (await shared.tradewind("join-token", node, "--pool", "default", "--address", address, ...args)).stdout;
    const refused = (command: string, ...args: string[]) =>
        shared.tradewind(command, ...args).then(
            () => assert.fail(`${command} ${args.join(" ")} succeeded`),
            ({ message }: Error) => message,
        );

    before(async () => {
        await sharedCluster();
        const own = internalAddress(await shared.get<Node>("node", worker))!;
        address = own.replace(/\d+$/, "77");
    });
    after(async () => {
        await shared.kubectl("delete", "deployment,pdb", "racked", "--ignore-not-found");
        await destroyMachine(shared.name, node);
    });

    it("joins the pool with the config that join-token prints, and nothing else is printed", async () => {
        const config = await join("--format", "ignition");
        JSON.parse(config);
        await createMachine({ cluster: shared.name, name: node, address, config, os: "ignition" });
        token = JSON.parse(await shared.exec(node, `cat ${paths.bootstrapKubeconfig}`)).users[0].user.token;
        await hasJoined(shared, node, "default", address);
        assert.match((await shared.tradewind("join-token", "--list")).stdout, /^rack-1 +default +[\d.]+ +joined /m);
        assert.match((await shared.tradewind("status")).stdout, /^rack-1 +worker, by token +Ready/m);
    });

    it("has a token that is useless to others, whatever they ask for", async () => {
        const path = kubeconfigBy(shared, token);
        const requests = {
            "its own name again": await askToBe(path, node),
            "another machine of the pool": await askToBe(path, `${shared.name}-default-7`),
            "a worker of the stack": await askToBe(path, worker),
            "a controller": await askToBe(path, `${shared.name}-controller-0`),
        };
        await eventually("the approver to see all of them", async () => {
            const logs = await shared.kubectl("-n", "kube-system", "logs", "-l", "k8s-app=node-approver", "--tail=200");
            for (const name of Object.values(requests)) assert.ok(logs.includes(name), logs);
        });
        await assertLeft(shared, requests);
        await forget(shared, Object.values(requests));
    });

    it("stays when the stack has nothing to change", async () => {
        const { stdout } = await shared.start("--yes");
        assert.match(stdout, /no changes: the cluster is up to date/);
        await isNode(shared, node, "the machine to still be a node");
    });

    it("is not reset while a disruption budget keeps its pod, and machines of the stack never are", async () => {
        await shared.apply(budget);
        const message = await refused("reset", node, "--timeout", "10");
        assert.match(message, /rack-1 was not drained within 10 s: default\/racked-\S+ stays: .*disruption budget/);
        assert.match(await refused("reset", worker), /is a machine of the stack/);
        assert.match(await refused("reset", `${shared.name}-controller-0`), /is a controller/);
        await shared.kubectl("uncordon", node);
        await shared.kubectl("delete", "pdb", "racked");
    });

    it("is drained and cleaned by reset", async () => {
        await shared.tradewind("reset", node);
        await assert.rejects(shared.kubectl("get", "node", node), /not found/);
        const left = await shared.exec(
            node,
            `pgrep -l 'kubelet|containerd-shim' || true
            find ${paths.pki} ${paths.bootstrapKubeconfig} ${paths.kubeletPki} /opt/tradewind /etc/cni/net.d/* /var/log/pods 2>/dev/null || true
            systemctl list-unit-files kubelet.service keep-files.service keep-registered.service --no-legend || true`,
        );
        assert.equal(left.trim(), "");
        const list = () => shared.exec(node, "ctr --namespace k8s.io containers list --quiet");
        assert.equal((await eventually("containerd", list)).trim(), "");
        assert.match((await shared.tradewind("join-token", "--list")).stdout, /^no machine may join/m);
    });

    it("joins again with a script, and is reset again", async () => {
        await exec(shared.name, node, ["sh"], await join());
        await hasJoined(shared, node, "default", address);
        await shared.tradewind("reset", node);
        const { stdout } = await shared.start("--yes");
        assert.match(stdout, /no changes: the cluster is up to date/);
    });
});

const budget = {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "racked" },
    spec: { minAvailable: 1, selector: { matchLabels: racked } },
};
