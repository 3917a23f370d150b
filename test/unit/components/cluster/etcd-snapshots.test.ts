import assert from "node:assert/strict";
import { resolveEtcdSnapshots } from "../../../../components/cluster/etcd-snapshots";
import type { EtcdSnapshotOptions } from "../../../../components/cluster/options";

describe("The options of etcd's snapshots", () => {
    it("have defaults", () => {
        const directory = "/var/lib/tradewind/etcd-snapshots";
        assert.deepEqual(resolveEtcdSnapshots({}), { intervalSeconds: 3600, keep: 24, directory });
    });

    it("are taken as given", () => {
        const options = { interval: "1m", keep: 1, maxAge: "2d", directory: "/mnt/backup.disk" };
        const resolved = { intervalSeconds: 60, keep: 1, maxAgeSeconds: 172_800, directory: "/mnt/backup.disk" };
        assert.deepEqual(resolveEtcdSnapshots(options), resolved);
    });

    const refused: [EtcdSnapshotOptions, RegExp][] = [
        [{ interval: "59s" }, /^etcdSnapshots\.interval must be a duration of 1m or more, .*, got 59s$/],
        [{ interval: "hourly" }, /^etcdSnapshots\.interval must be a duration/],
        [{ maxAge: "59m" }, /^etcdSnapshots\.maxAge must be a duration of 1h or more, .*, got 59m$/],
        [{ keep: 0 }, /^etcdSnapshots\.keep must be a whole number from 1 to 10000, got 0$/],
        [{ keep: 1.5 }, /^etcdSnapshots\.keep must be a whole number/],
        [{ directory: "snapshots" }, /^etcdSnapshots\.directory must be an absolute path .*, got snapshots$/],
        [{ directory: "/tmp" }, /^etcdSnapshots\.directory must be an absolute path of two or more/],
        [{ directory: "/var/../etc" }, /^etcdSnapshots\.directory must be an absolute path/],
        [{ directory: "/var/lib/etcd/snapshots" }, /^etcdSnapshots\.directory must be outside \/var\/lib\/etcd, got/],
        [{ directory: "/etc/kubernetes" }, /^etcdSnapshots\.directory must be outside \/etc\/kubernetes, got/],
    ];
    for (const [options, message] of refused) {
        it(`refuse ${JSON.stringify(options)}`, () => assert.throws(() => resolveEtcdSnapshots(options), { message }));
    }
});
