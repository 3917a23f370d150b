import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import type { Account } from "../../../../../simulator/clouds/aws/account";
import { interfacesOf, leaveInterfaces, waitForInterfaces } from "../../../../../simulator/clouds/aws/interfaces";
import { subnet } from "../../../../../simulator/clouds/aws/network";
import { example } from "./services/example";

describe("the network interfaces of a deleted load balancer", () => {
    let account: Account;
    let folder: string;
    const balancer = { name: "lb", vpc: "vpc-1", address: "10.9.0.3", dnsName: "lb", groups: ["sg-lb"] };
    const leave = (interfaceSeconds: number) => {
        ({ account, folder } = example({}, { interfaceSeconds }));
        account.put("subnets", "subnet-2", { name: "t", vpc: "vpc-1", cidr: "10.9.0.16/28", zone: "eu-central-1b" });
        leaveInterfaces(account, { ...balancer, subnets: ["subnet-2"] });
    };

    afterEach(() => rmSync(folder, { recursive: true }));

    it("delay the deletion of its subnets, and are no resources of a stack", async () => {
        leave(600);
        assert.deepEqual(
            [account.left.filter((each) => /ELB/.test(each)), interfacesOf(account, () => true).length],
            [[], 1],
        );
        await subnet.delete(account, "subnet-2");
        // Added up, not slept.
        assert.ok(account.waited > 590 && account.waited <= 600);
        assert.deepEqual([account.resources.subnets["subnet-2"], interfacesOf(account, () => true)], [undefined, []]);
    });

    it("prevent it if they stay for longer than the provider repeats it", async () => {
        leave(60);
        const deleted = waitForInterfaces(account, "The subnet", () => true, { timeout: 30 });
        await assert.rejects(deleted, /^Error: DependencyViolation: The subnet has dependencies .*: ELB lb$/);
        await waitForInterfaces(account, "another", ({ subnets }) => subnets.includes("subnet-1"));
        assert.equal(account.waited, 30);
    });
});
