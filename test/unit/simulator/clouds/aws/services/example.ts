import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Account, type Owned } from "../../../../../../simulator/clouds/aws/account";

/**
 * An account with an instance, and requests from it.
 *
 * @param zones - names of public hosted zones, by id
 */
export function example(zones: Readonly<Record<string, string>> = {}, more: Partial<Owned> = {}) {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-account-"));
    const account = Account.open(join(folder, "account.json"), { region: "eu-central-1", zones, amis: {}, ...more });
    account.put("vpcs", "vpc-1", { name: "c", cidr: "10.9.0.0/24" });
    account.put("subnets", "subnet-1", { name: "s", vpc: "vpc-1", cidr: "10.9.0.0/28", zone: "eu-central-1a" });
    account.put("roles", "r", { name: "r" });
    account.put("instanceProfiles", "p", { name: "p", role: "r" });
    const spec = { ami: "ami-1", instanceType: "t3.medium", userData: "{}", profile: "p", groups: ["sg-1"] };
    const at = { vpc: "vpc-1", subnet: "subnet-1", groups: ["sg-1"], spec };
    account.put("instances", "i-1", { name: "c-a", machine: "c-a", address: "10.9.0.4", ...at });
    account.put("instances", "i-2", { name: "c-b", machine: "c-b", address: "10.9.0.5", ...at });
    return { folder, account, asker: { network: "c", address: "10.9.0.4" }, secret: "secret" };
}
