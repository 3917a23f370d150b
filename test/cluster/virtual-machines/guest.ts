import assert from "node:assert/strict";
import type { TestCluster } from "../cluster";

/** What no container has and every cloud does, of a node that is a virtual machine. */
export async function isLikeInCloud(cluster: TestCluster, node: string): Promise<void> {
    const run = async (command: string) => (await cluster.exec(node, command)).trim();
    assert.equal(await run("systemd-detect-virt"), "qemu");
    assert.match(await run("uname -r"), /-cloud-amd64$/);
    assert.equal(await run("cat /sys/class/dmi/id/sys_vendor"), "DigitalOcean");
    // By the real udev, from what the disk says of itself.
    assert.match(await run("readlink /dev/disk/by-id/scsi-0DO_Volume_etcd"), /sd[a-z]$/);

    assert.equal(await run("stat --file-system --format %T /sys/fs/cgroup"), "cgroup2fs");
    assert.equal(
        await run("ls /etc/kubernetes/kubelet.conf.d /etc/containerd/conf.d 2>/dev/null | grep host || true"),
        "",
    );
    assert.match(await run("systemctl --no-legend --plain list-units --type slice"), /^kubepods\.slice /m);

    const { status } = await cluster.get<{ status: { addresses: { type: string; address: string }[] } }>("node", node);
    const [address, ...others] = status.addresses.filter(({ type }) => type === "InternalIP");
    assert.deepEqual(others, []);
    assert.match(await run("ip -oneline -family inet address show dev eth1"), new RegExp(` ${address!.address}/`));
    assert.match(await run("ip -oneline -family inet address show dev eth0"), / 192\.0\.2\.10\//);
    assert.match(await run("ip route show default"), /^default via 192\.0\.2\.1 dev eth0/);
}

/** On its first boot. */
export async function isConfiguredByMetadata(cluster: TestCluster, node: string): Promise<void> {
    assert.equal((await cluster.exec(node, "cat /run/cloud-init/cloud-id")).trim(), "digitalocean");
}

/** The pod of `makeAsker` on a node has DNS, a Service's address, limits and logs. */
export async function podsWork(cluster: TestCluster, node: string, names: readonly string[]): Promise<void> {
    const inPod = (program: string) => cluster.kubectl("exec", "asker", "--", "node", "-e", program);
    const resolving = `Promise.all(${JSON.stringify(names)}.map(n=>require("dns").promises.resolve4(n))).then(a=>console.log(a.length))`;
    assert.equal((await inPod(resolving)).trim(), String(names.length));
    const calling =
        'process.env.NODE_TLS_REJECT_UNAUTHORIZED="0";fetch("https://kubernetes.default.svc/readyz").then(async a=>console.log(await a.text()))';
    assert.equal((await inPod(calling)).trim(), "ok");
    const { metadata } = await cluster.get<{ metadata: { uid: string } }>("pod", "asker");
    // A slice of systemd's, whose names separate parents by hyphens.
    const slice = `kubepods-besteffort-pod${metadata.uid.replaceAll("-", "_")}.slice`;
    const limit = await cluster.exec(
        node,
        `cat /sys/fs/cgroup/kubepods.slice/kubepods-besteffort.slice/${slice}/pids.max`,
    );
    assert.equal(limit.trim(), "4096");
    assert.equal(await cluster.kubectl("logs", "asker"), "");
}
