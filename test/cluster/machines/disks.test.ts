import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { etcdDisk } from "../../../cluster/machines/etcd-disk";
import { render } from "../../../ignition";
import * as machines from "../../../machines";

const cluster = `t${process.pid}d`;
const name = "one";
const link = "test-etcd";
/** Loop devices of the host for these disks, whose names are unique. */
const devices = () =>
    readdirSync("/sys/block")
        .map((block) => `/sys/block/${block}/loop/backing_file`)
        .filter((path) => existsSync(path) && readFileSync(path, "utf8").includes(cluster));
const config = render(etcdDisk({ device: `/dev/disk/by-id/${link}` }));

describe("a disk that outlives its machine", function () {
    this.timeout(60_000);
    let address: string;
    const sh = (script: string) => machines.exec(cluster, name, ["sh", "-c", script]);
    const create = () => machines.createMachine({ cluster, name, address, config });
    const attach = (disk = `${cluster}-etcd`, as = link) =>
        machines.attachDisk({ cluster, name: disk, machine: name, link: as, size: 1 });
    const mounted = () =>
        sh(
            "timeout 20 systemctl start etcd-disk.service; findmnt --noheadings --output FSTYPE --mountpoint /var/lib/etcd | tail -n 1",
        );
    /** Runs the unit's script for another disk: its exit code and last output. */
    const mount = (device: string) =>
        sh(`umount /var/lib/etcd 2>/dev/null; echo /dev/disk/by-id/${device} >/etc/tradewind/etcd-disk
            code=0; words=$(/opt/tradewind/bin/mount-etcd-disk 2>&1) || code=$?; echo "$code $words"`);

    before(async () => {
        await machines.ensureEngine();
        const subnet = await machines.pickSubnet(cluster);
        await machines.createNetwork({ cluster, subnet, domain: "tradewind.test" });
        address = subnet.replace(".0/24", ".11");
    });
    after(() => machines.destroyCluster(cluster));

    it("is waited for, formatted if it is blank, and used only by etcd", async () => {
        await create();
        await sh("timeout 20 sh -c 'until journalctl --unit etcd-disk | grep -q waiting; do sleep 0.2; done'");
        await attach();
        assert.equal((await mounted()).trim(), "ext4");
        assert.equal((await sh("stat --format '%a %U' /var/lib/etcd")).trim(), "700 root");
        await sh("mkdir /var/lib/etcd/member-data && echo kept >/var/lib/etcd/member-data/x && sync");
    });

    it("is mounted again after a power cut", async () => {
        await machines.powerCut(cluster, name);
        assert.equal((await mounted()).trim(), "ext4");
        assert.equal(await sh("cat /var/lib/etcd/member-data/x"), "kept\n");
    });

    it("keeps its data when the machine is recreated", async () => {
        assert.equal(devices().length, 1);
        await machines.detachDisk({ cluster, name: `${cluster}-etcd`, machine: name });
        assert.deepEqual(devices(), []);
        await machines.destroyMachine(cluster, name);
        await create();
        await attach();
        assert.equal((await mounted()).trim(), "ext4");
        assert.equal(await sh("cat /var/lib/etcd/member-data/x"), "kept\n");
    });

    it("is left alone if it has data other than our file system", async () => {
        await attach(`${cluster}-other`, "test-other");
        const disk = "/dev/disk/by-id/test-other";
        await sh(
            `printf somebody >/tmp/data; dd if=/tmp/data of=${disk} seek=4096 oflag=seek_bytes conv=notrunc,fsync`,
        );
        assert.match(await mount("test-other"), /^1 .*must be blank or have an ext4 file system \(got unknown data\)/);
        assert.equal(await sh(`dd if=${disk} skip=4096 count=8 iflag=skip_bytes,count_bytes`), "somebody");
    });

    it("is formatted again if its formatting was interrupted, and no other disk is", async () => {
        await sh("echo /dev/disk/by-id/test-other >/var/lib/tradewind/etcd-disk-formatting");
        assert.match(await mount(link), /^0 /);
        assert.equal(await sh("cat /var/lib/etcd/member-data/x"), "kept\n");
        assert.match(await mount("test-other"), /^0 creating a file system on the blank disk/);
        assert.equal((await sh("ls -A /var/lib/etcd")).trim(), "lost+found");
        assert.match(await mount("test-other"), /^0 /);
    });

    it("grows while attached", async () => {
        await machines.growDisk({ cluster, name: `${cluster}-other`, size: 2 });
        assert.equal((await sh("blockdev --getsize64 /dev/disk/by-id/test-other")).trim(), String(2 * 2 ** 30));
    });

    it("is detached from a running machine, but not while mounted there, and keeps its data", async () => {
        await sh("echo kept >/var/lib/etcd/x && sync");
        const unplug = () => machines.unplugDisk({ cluster, name: `${cluster}-other`, machine: name });
        await assert.rejects(unplug(), /it is mounted/);
        assert.equal(devices().length, 2);
        await sh("umount /var/lib/etcd");
        await unplug();
        assert.equal((await sh("ls /dev/disk/by-id")).trim(), link);
        assert.equal(devices().length, 1);
        await attach(`${cluster}-other`, "test-other");
        assert.equal(await sh("mount /dev/disk/by-id/test-other /mnt && cat /mnt/x && umount /mnt"), "kept\n");
    });

    it("leaves nothing when its cluster is destroyed", async () => {
        await machines.destroyCluster(cluster);
        assert.deepEqual(devices(), []);
        assert.equal(await machines.docker(["volume", "ls", "--quiet", "--filter", `name=tradewind-${cluster}`]), "");
    });
});
