import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Account } from "../../../../simulator/digitalocean/account";
import { tag } from "../../../../simulator/digitalocean/tag";
import { vpc } from "../../../../simulator/digitalocean/vpc";

describe("a simulated account", () => {
    let folder: string;
    let account: Account;
    const path = () => join(folder, "state/account.json");

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-account-"));
        account = Account.open(path(), { domains: ["example.com"], images: {}, sshKeys: [] });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("remembers what was made, for whoever looks at it next, and what is left", async () => {
        await tag.create(account, { name: "c" });
        assert.deepEqual(new Account(path()).left, ["tags c"]);
        await tag.delete(account, "c");
        assert.deepEqual(new Account(path()).left, []);
        assert.deepEqual(account.state.domains, ["example.com"]);
    });

    it("gives ids as the service does", () => {
        assert.match(account.newId("droplets"), /^\d+$/);
        assert.match(account.newId("vpcs"), /^[0-9a-f-]{36}$/);
    });

    it("keeps a VPC whose members are there", async () => {
        account.put("vpcs", "v", { name: "c", region: "fra1", ipRange: "172.24.0.0/20" });
        account.put("droplets", "1", { name: "c-a-0", region: "fra1", vpc: "v", address: "172.24.0.10", tags: [] });
        await assert.rejects(() => vpc.delete(account, "v"), /Can not delete VPC with members: c-a-0/);
        assert.deepEqual(account.left, ["vpcs c", "droplets c-a-0"]);
    });

    it("has no two VPCs that overlap", async () => {
        account.put("vpcs", "v", { name: "c", region: "fra1", ipRange: "172.24.0.0/20" });
        const other = { name: "d", region: "fra1", ipRange: "172.24.8.0/24" };
        await assert.rejects(() => vpc.create(account, other), /overlaps with another VPC network in your account/);
    });
});
