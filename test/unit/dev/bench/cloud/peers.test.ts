import assert from "node:assert/strict";
import { peers } from "../../../../../dev/bench/cloud/peers";

const [typhoon, kops] = peers as [(typeof peers)[number], (typeof peers)[number]];

describe("a peer's bill", () => {
    const production = {
        controllers: { "t3.medium": 3 },
        workers: { "t3.medium": 3 },
        storage: 180,
        publicAddresses: 6,
        natGateways: 3,
        loadBalancers: 1,
        endpoints: 0,
        hostedZones: 0,
    };
    const smallest = {
        controllers: { "t3.small": 1 },
        workers: {},
        storage: 30,
        publicAddresses: 2,
        natGateways: 0,
        loadBalancers: 1,
        endpoints: 0,
        hostedZones: 0,
    };

    it("has Typhoon's public nodes without gateways", () => {
        const bill = typhoon.bill.aws(production);
        assert.deepEqual(bill, { ...production, publicAddresses: 9, natGateways: 0 });
    });

    it("has kops' larger disks, and two volumes for each etcd member", () => {
        const bill = kops.bill.aws(production);
        assert.deepEqual(bill, { ...production, storage: 3 * 64 + 3 * 128 + 3 * 2 * 20 });
    });

    it("has no load balancer and no zone for nodes alone", () => {
        const ours = { ...production, loadBalancers: 2, hostedZones: 1 };
        for (const peer of peers) {
            const { loadBalancers, hostedZones } = peer.bill.aws(ours);
            assert.deepEqual([peer.name, loadBalancers, hostedZones], [peer.name, 1, 0]);
        }
    });

    it("has a worker if ours has none, with its own address", () => {
        const workers = { "t3.small": 1 };
        assert.deepEqual(typhoon.bill.aws(smallest), { ...smallest, workers, storage: 60, publicAddresses: 5 });
        assert.deepEqual(kops.bill.aws(smallest), {
            ...smallest,
            workers,
            storage: 64 + 128 + 40,
            publicAddresses: 3,
        });
    });

    it("has droplets with their own disks, no load balancer for Typhoon, and kops' volumes for etcd", () => {
        const ours = {
            ...{ controllers: { "s-2vcpu-4gb": 3 }, workers: { "s-2vcpu-2gb": 2 } },
            ...{ storage: 0, publicAddresses: 0, natGateways: 0, loadBalancers: 2, endpoints: 0, hostedZones: 0 },
        };
        assert.deepEqual(typhoon.bill.digitalocean(ours), { ...ours, loadBalancers: 0 });
        assert.deepEqual(kops.bill.digitalocean(ours), { ...ours, storage: 120 });
    });
});
