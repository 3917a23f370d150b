import assert from "node:assert/strict";
import { controllerConfig } from "../../../../cluster/machines/controller";
import { etcdDisk } from "../../../../cluster/machines/etcd-disk";
import { resolveCluster } from "../../../../cluster/resolve";
import { diffable, validate } from "../../../../ignition";
import { downloads, readable } from "../../components/in-cluster/fixture";
import { assertShell } from "../../components/in-cluster/shell";
import { golden } from "../../golden";

const device = "/dev/disk/by-id/scsi-0DO_Volume_c-controller-0-etcd";

describe("the disk of a controller's etcd", () => {
    const config = etcdDisk({ device });
    const texts = diffable(config);

    it("is as reviewed", () => golden(__dirname, "etcd-disk", readable(config)));

    it("is in a valid Ignition config, whatever names the device", () => {
        assert.deepEqual(validate(config), []);
        const elsewhere = etcdDisk({ source: "s3://configs/disk" });
        assert.deepEqual(validate(elsewhere), []);
        const said = elsewhere.storage!.files!.find(({ path }) => path === "/etc/tradewind/etcd-disk")!;
        assert.deepEqual(said.contents, { source: "s3://configs/disk" });
    });

    it("has a script without a mistake that a shell or shellcheck finds", () => {
        assertShell(texts["/opt/tradewind/bin/mount-etcd-disk"]!.replace(/^mode.*\n/, ""));
    });

    it("is mounted before the kubelet starts, which would start etcd without it", () => {
        const unit = texts["etcd-disk.service"]!;
        assert.match(unit, /^Before=kubelet\.service$/m);
        assert.match(unit, /^RequiredBy=kubelet\.service$/m);
        assert.match(unit, /^TimeoutStartSec=infinity$/m);
    });

    it("is a controller's that was given one, and no other's", () => {
        const cluster = resolveCluster({ name: "c" });
        const options = {
            machine: { name: "c-controller-0", address: "10.0.0.11" },
            downloads,
            ca: "CA",
            bootstrapToken: "abcdef.0123456789abcdef",
        };
        const unit = "etcd-disk.service";
        assert.equal(diffable(controllerConfig(cluster, options))[unit], undefined);
        assert.ok(diffable(controllerConfig(cluster, { ...options, etcdDisk: { device } }))[unit]);
    });
});
