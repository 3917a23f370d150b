import assert from "node:assert/strict";
import { etcdStaticPod } from "../../../../cluster/manifests/etcd/member";
import { possibleMembers } from "../../../../cluster/model";
import type { ClusterOptions } from "../../../../cluster/options";
import { etcdChanges, machineOf, type RunningMember } from "../../../../components/upgrade/etcd-changes";
import { fixedCluster } from "../in-cluster/fixture";

const of = (options: Partial<ClusterOptions> = {}) => fixedCluster({ controllers: { count: 3 }, ...options });
const cluster = of();
const others = of({ components: { etcd: { "log-level": "debug", "quota-backend-bytes": "1" } } });

/** Members created for the cluster: the first started alone, the others joined. */
const running = (from: typeof cluster): RunningMember[] =>
    possibleMembers(from).map((name, index) => {
        const machine = { name, address: `10.0.0.${11 + index}` };
        const initialCluster = `c-controller-0=https://10.0.0.11:2380${index ? `,${name}=…` : ""}`;
        const pod = etcdStaticPod(from, { machine, initialCluster, initialClusterState: index ? "existing" : "new" });
        const [{ image, command }] = (pod.spec as { containers: [RunningMember] }).containers;
        return { node: name, image, command };
    });

describe("what of etcd is to run otherwise", () => {
    it("is nothing where nothing changed, in whatever order flags are", () => {
        assert.deepEqual(etcdChanges(cluster, running(cluster)), []);
        const turned = running(cluster).map(({ command, ...member }) => ({ ...member, command: command.toReversed() }));
        assert.deepEqual(etcdChanges(cluster, turned), []);
    });

    it("is nothing where a member runs the desired image under another name", () => {
        const under = (image: string) => running(cluster).map((member) => ({ ...member, image }));
        assert.deepEqual(etcdChanges(cluster, under(`${cluster.images.etcd}-r2@sha256:a`)), []);
        const pinned = { ...cluster, images: { ...cluster.images, etcd: "registry.example/etcd:v3.6.8@sha256:a" } };
        assert.deepEqual(etcdChanges(pinned, under("registry.example/etcd:v3.6.8-r2@sha256:a")), []);
        assert.equal(etcdChanges(pinned, under("registry.example/etcd:v3.6.8-r2@sha256:b")).length, 3);
    });

    it("are members whose flags differ, in the order of the controllers, without their own values", () => {
        const changes = etcdChanges(others, running(cluster).toReversed());
        assert.deepEqual(
            changes.map(({ node }) => node),
            cluster.controllers.names,
        );
        assert.equal(
            changes[0]!.text,
            "etcd of c-controller-0: --quota-backend-bytes=4294967296 is removed, --quota-backend-bytes=1 is added, --log-level=debug is added",
        );
        assert.deepEqual(changes[1]!.start, {
            machine: { name: "c-controller-1", address: "10.0.0.12" },
            initialCluster: "c-controller-0=https://10.0.0.11:2380,c-controller-1=…",
            initialClusterState: "existing",
        });
    });

    it("include the arbiter's, last", () => {
        const controllers = { count: 2, arbiter: true };
        const components = { etcd: { "log-level": "debug" } };
        assert.deepEqual(
            etcdChanges(of({ controllers, components }), running(of({ controllers }))).map(({ node }) => node),
            ["c-controller-0", "c-controller-1", "c-arbiter-0"],
        );
    });

    it("are only the members that an interrupted update left", () => {
        const [first, ...rest] = running(cluster);
        const changed = running(others)[0]!;
        assert.ok(first);
        assert.deepEqual(
            etcdChanges(others, [changed, ...rest]).map(({ node }) => node),
            ["c-controller-1", "c-controller-2"],
        );
    });

    it("are described by versions, and exclude members that are no longer controllers", () => {
        const [first] = running(cluster);
        const older = { ...first!, image: "quay.io/coreos/etcd:v3.6.1" };
        const [change, ...more] = etcdChanges(cluster, [older, { ...older, node: "gone" }]);
        assert.equal(change!.text, "etcd of c-controller-0: 3.6.1 becomes registry.example/etcd:v1");
        assert.deepEqual(more, []);
    });

    it("say that the way back to an older minor version lowers the version of stored data", () => {
        const older = { ...cluster, images: { ...cluster.images, etcd: "registry.example/etcd:v3.6.16" } };
        const newer = running(older).map((each) => ({ ...each, image: "quay.io/coreos/etcd:v3.7.3" }));
        const back = "3.7.3 goes back to 3.6.16, after all members store as 3.6";
        assert.equal(etcdChanges(older, newer)[0]!.text, `etcd of c-controller-0: ${back}`);
        const patch = running(older).map((each) => ({ ...each, image: "quay.io/coreos/etcd:v3.6.20" }));
        assert.equal(etcdChanges(older, patch)[0]!.text, "etcd of c-controller-0: 3.6.20 becomes 3.6.16");
    });

    it("include a member that an interrupted `up` is still changing, though it looks as desired", () => {
        const texts = etcdChanges(cluster, running(cluster), ["c-controller-1"]).map(({ text }) => text);
        assert.deepEqual(texts, ["etcd of c-controller-1: an earlier change of it is still in progress"]);
    });

    it("describe a change to or from an API pod, and a changed pod", () => {
        const pods = of({ selfHosted: { etcd: true } });
        const textOf = (desired: typeof cluster, now: readonly RunningMember[]) => etcdChanges(desired, now)[0]?.text;
        assert.equal(textOf(pods, running(cluster)), "etcd of c-controller-0: it moves to a pod managed by the API");
        assert.equal(
            textOf(cluster, running(pods)),
            "etcd of c-controller-0: it moves out of the pod managed by the API",
        );
        assert.equal(textOf(pods, running(pods)), undefined);
        const changed = running(pods).map((each) => ({ ...each, command: each.command.with(2, "another script") }));
        assert.equal(textOf(pods, changed), "etcd of c-controller-0: its pod changes");
        const flag = of({ selfHosted: { etcd: true }, components: { etcd: { "log-level": "debug" } } });
        assert.equal(textOf(flag, running(pods)), "etcd of c-controller-0: --log-level=debug is added");
    });

    it("need members that advertise their address", () => {
        assert.throws(
            () => machineOf({ node: "a", image: "etcd", command: ["etcd"] }),
            /^Error: the etcd of a must have --initial-advertise-peer-urls=<URL> \(got none\)$/,
        );
    });
});
