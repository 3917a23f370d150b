import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { planSchema } from "../../agents/etcd/certificates/plan";
import { renewMember } from "../../agents/etcd/certificates/renew";
import { readPlan } from "../../agents/harness/plan";
import { EtcdClient } from "../../clients/etcd/client";
import { endTurn, takeTurn } from "../../clients/etcd/turn";
import { annotatedKeys } from "../../cluster/keys/lists";
import { paths } from "../../cluster/paths";
import { versions } from "../../versions";
import { imagesFor } from "../../versions/images";
import { runAgent } from "./etcd-join/agent";
import { EtcdAuthority } from "./etcd-join/certificates";
import { EtcdCluster } from "./etcd-join/cluster";
import type { Controller } from "./etcd-join/controller";
import { openWatch } from "./etcd-join/watch";
import { until } from "./until";

/** Runs the agent with a plan and returns its output. It is killed when its output matches `crash`. */
async function renew(path: string, crash?: RegExp): Promise<string> {
    const told: string[] = [];
    await renewMember(readPlan(path, planSchema), dirname(path), (message) => {
        told.push(message);
        if (crash?.test(message)) throw new Error("killed");
    });
    return told.join("\n");
}

const onDisk = (controller: Controller, file: string) =>
    readFileSync(controller.path(`${paths.etcdPki}/${file}`), "utf8");

describe("etcd-certificates, with a real etcd", function () {
    this.timeout(60_000);
    const cluster = new EtcdCluster();
    const { first } = cluster;

    before(async () => {
        await cluster.start();
        await cluster.put("before", "kept");
    });
    after(() => cluster.remove());

    it("gives a running member another certificate for its key, without a restart", async () => {
        const { pid } = first.kubelet;
        const before = onDisk(first, "member.crt");
        assert.match(await renew(cluster.offer(first)), /has a new member.crt\n.* presents it; it expires at 20.*$/);
        const after = onDisk(first, "member.crt");
        assert.notEqual(new X509Certificate(after).serialNumber, new X509Certificate(before).serialNumber);
        assert.equal(first.kubelet.pid, pid);
        assert.equal(await cluster.ownValue(first, "before"), "kept");
    });

    it("changes nothing the second time", async () => {
        const plan = join(first.folder, "certificates", "plan.json");
        assert.match(await renew(plan), /^c-controller-0 presents it; it expires at/);
    });

    it("restarts the only member for another CA: there are no others to wait for", async () => {
        const { pid } = first.kubelet;
        assert.match(await renew(cluster.offer(first, [1, 2])), /new ca.crt\n.*new member.crt\n.* is restarting\n/);
        assert.notEqual(first.kubelet.pid, pid);
        assert.equal(await cluster.ownValue(first, "before"), "kept");
    });

    it("leaves the member unchanged rather than install a certificate for another key or from another CA", async () => {
        const before = onDisk(first, "member.crt");
        const plan = cluster.offer(first);
        const offer = (cert: string) => writeFileSync(join(dirname(plan), "member.crt"), cert);
        offer(cluster.controllers[1]!.certificate.cert);
        await assert.rejects(renew(plan), /must be for the key of c-controller-0/);
        const other = new EtcdAuthority();
        offer(other.renew(first.machine.name, first.certificate.key));
        other.remove();
        await assert.rejects(renew(plan), /must be signed by a CA that c-controller-0 trusts/);
        assert.equal(onDisk(first, "member.crt"), before);
    });
});

describe("a member whose image has a digest", function () {
    this.timeout(60_000);
    const digest = `sha256:${"0".repeat(64)}`;
    const cluster = new EtcdCluster(1, { images: { etcd: `${imagesFor(versions.kubernetes).etcd}@${digest}` } });
    const { first } = cluster;

    before(() => cluster.start());
    after(() => cluster.remove());

    it("gets one CA after another without the kubelet's back-off, and without waiting for open watches", async () => {
        for (const [index, keys] of [[1, 2], [2, 1], [2]].entries()) {
            const close = await openWatch(first);
            const output = await renew(cluster.offer(first, keys));
            close();
            assert.match(output, /accepts no more requests; killing it\nc-controller-0 is restarting\n/);
            assert.doesNotMatch(output, /backs off/);
            assert.ok(first.staticPod.spec.containers[0]!.image.endsWith(`-r${index + 2}@${digest}`));
            const [issuer] = keys.map((each) => cluster.authority(each));
            const ca = keys.map((each) => cluster.authority(each).ca).join("");
            first.access = { ca, cert: cluster.renew(first, issuer), key: first.certificate.key };
        }
        assert.equal((await first.members()).length, 1);
    });
});

describe("a rotation of etcd's CA, step by step", function () {
    this.timeout(120_000);
    const cluster = new EtcdCluster();
    const { controllers } = cluster;
    const [first, second, third] = controllers as [Controller, Controller, Controller];
    const pids = () => controllers.map(({ kubelet }) => kubelet.pid);
    const keysOf = (controller: Controller) => {
        const { metadata } = JSON.parse(readFileSync(controller.path(`${paths.staticPods}/etcd.json`), "utf8"));
        return annotatedKeys(metadata.annotations).etcdCa;
    };
    /** Every client has a certificate of one generation and trusts servers of some generations. */
    const askAs = (generation: number, trusted: readonly number[]) => {
        for (const controller of controllers) {
            controller.access = {
                ca: trusted.map((each) => cluster.authority(each).ca).join(""),
                cert: cluster.renew(controller, cluster.authority(generation)),
                key: controller.certificate.key,
            };
        }
    };
    /** The minimum number of members that responded throughout. */
    const answering = async (work: Promise<unknown>) => {
        let least = controllers.length;
        let isOver = false;
        const end = work.finally(() => {
            isOver = true;
        });
        while (!isOver) {
            const asked = controllers.map(({ client, machine }) => client.status(`https://${machine.address}:2379`));
            const answers = await Promise.allSettled(asked);
            least = Math.min(least, answers.filter(({ status }) => status === "fulfilled").length);
        }
        await end;
        return least;
    };
    /** A client that reads the machine's files at every request, as etcd-keeper does. */
    const neighbour = new EtcdClient([`https://${first.machine.address}:2379`], () => ({
        ca: onDisk(first, "ca.crt"),
        cert: onDisk(first, "member.crt"),
        key: onDisk(first, "member.key"),
    }));
    /** As with candidates, where the stack waits for no member. */
    const stepAtOnce = (keys: readonly number[]) =>
        Promise.all(
            controllers.map((controller) => {
                const plan = cluster.offer(controller, keys);
                writeFileSync(plan, JSON.stringify({ ...JSON.parse(readFileSync(plan, "utf8")), mayLackMember: true }));
                return renew(plan);
            }),
        );
    const step = async (keys: readonly number[]) => {
        for (const controller of controllers) await renew(cluster.offer(controller, keys));
    };

    before(async () => {
        await cluster.start();
        await cluster.put("before", "kept");
        for (const controller of [second, third]) {
            const { exit, output } = await runAgent(cluster.plan(controller));
            assert.equal(exit, 0, output);
        }
    });
    after(() => cluster.remove());
    afterEach(async () => {
        await cluster.put("after", "there");
        for (const controller of controllers) assert.equal(await cluster.ownValue(controller, "before"), "kept");
        assert.equal((await neighbour.members()).length, 3);
    });

    it("is first trusted alongside the issuing one: members restart one at a time", async () => {
        askAs(1, [1, 2]);
        const before = pids();
        assert.equal(await answering(step([1, 2])), 2);
        for (const [index, pid] of pids().entries()) assert.notEqual(pid, before[index]);
        for (const controller of controllers) assert.deepEqual(keysOf(controller), [1, 2]);
        askAs(2, [1, 2]);
        assert.equal((await third.members()).length, 3);
    });

    it("resumes where it was killed, and finishes once", async () => {
        for (const [crash, keys] of [
            [/new ca.crt/, [2, 1]],
            [/new member.crt/, [1, 2]],
            [/is restarting/, [2, 1]],
        ] as const) {
            const { pid } = first.kubelet;
            const plan = cluster.offer(first, keys);
            await assert.rejects(renew(plan, crash), /killed/);
            await renew(plan);
            assert.deepEqual(keysOf(first), keys);
            assert.notEqual(first.kubelet.pid, pid);
            const renewed = first.kubelet.pid;
            assert.match(await renew(plan), /^c-controller-0 presents it/);
            assert.equal(first.kubelet.pid, renewed);
        }
    });

    it("waits while another member is down: it would be one too many", async () => {
        await third.kubelet.cutPower();
        const { pid } = second.kubelet;
        const plan = cluster.offer(second, [2, 1]);
        const hurried = JSON.parse(readFileSync(plan, "utf8"));
        writeFileSync(plan, JSON.stringify({ ...hurried, timeoutSeconds: 3 }));
        await assert.rejects(renew(plan), /waited 3 s for the other members to be healthy; last seen: .*ECONNREFUSED/);
        assert.equal(second.kubelet.pid, pid);
        third.restart();
        await until("the third member to serve", () =>
            third.members().then(
                () => true,
                () => false,
            ),
        );
    });

    it("waits while another member has the turn, if the stack does not wait for each", async () => {
        const { pid } = second.kubelet;
        const plan = cluster.offer(second, [2, 1]);
        const hurried = { ...JSON.parse(readFileSync(plan, "utf8")), mayLackMember: true, timeoutSeconds: 3 };
        writeFileSync(plan, JSON.stringify(hurried));
        assert.equal(await takeTurn(neighbour, "another", 60), "another");
        await assert.rejects(
            renew(plan),
            /waited 3 s for the other members to be healthy; last seen: another has the turn/,
        );
        assert.equal(second.kubelet.pid, pid);
        await endTurn(neighbour, "another");
    });

    it("then issues, and finally is the only one: clients with a certificate of the other CA are rejected", async () => {
        assert.equal(await answering(stepAtOnce([2, 1])), 2);
        for (const controller of controllers) assert.deepEqual(keysOf(controller), [2, 1]);
        // None keeps its turn for longer than it needs it.
        assert.equal(await takeTurn(neighbour, "another", 5), "another");
        await endTurn(neighbour, "another");
        assert.equal(await answering(step([2])), 2);
        for (const controller of controllers) {
            assert.deepEqual(keysOf(controller), [2]);
            assert.equal(onDisk(controller, "ca.crt"), cluster.authority(2).ca);
        }
        askAs(1, [2]);
        for (const controller of controllers) await assert.rejects(controller.members(), /certificate|alert|socket/);
        askAs(2, [2]);
        assert.equal((await first.members()).length, 3);
    });

    it("is also trusted in place of a CA of the same name, which was abandoned and recreated", async () => {
        const { pid } = first.kubelet;
        const other = new EtcdAuthority();
        const plan = cluster.offer(first, [2]);
        writeFileSync(join(dirname(plan), "ca.crt"), cluster.authority(2).ca + other.ca);
        other.remove();
        // After so many restarts the kubelet's back-off is longer than that.
        writeFileSync(plan, JSON.stringify({ ...JSON.parse(readFileSync(plan, "utf8")), timeoutSeconds: 3 }));
        await renew(plan);
        assert.notEqual(first.kubelet.pid, pid);
    });
});
