import { Account as AwsAccount } from "../../../simulator/clouds/aws/account";
import { Account as DigitalOceanAccount } from "../../../simulator/clouds/digitalocean/account";

/** What tests check in the account of a simulated cloud: everything that stacks created. */
export interface PaperAccount {
    readonly left: readonly string[];
}

/** Creates accounts that have what our configurations require. */
export const openAccount = {
    aws(path: string): AwsAccount {
        const vpc = "vpc-0123456789abcdef0";
        const account = AwsAccount.open(path, {
            region: "eu-central-1",
            loadBalancerSeconds: 0,
            zones: { Z1: "example.com", Z2: "example.org" },
            privateZones: { Z0123456789ABC: { name: "example.com", vpcs: [vpc] } },
            amis: {
                "ami-0123456789abcdef0": "Flatcar-stable-4593.2.1-hvm",
                "ami-0fedcba9876543210": "our-ubuntu-26.04-containerd-2",
                "ami-0123456789abcdef1": "Flatcar-stable-4593.2.1-arm64-hvm",
                "ami-0123456789abcdef2": "fedora-coreos-43.20260301.3.0-x86_64",
            },
        });
        account.put("vpcs", vpc, { name: "theirs", cidr: "10.40.0.0/16" });
        account.put("gateways", "igw-0123456789abcdef0", { name: "theirs", vpc });
        const address = "eipalloc-0123456789abcdef0";
        account.put("addresses", address, { name: "theirs", address: "203.0.113.250" });
        account.put("natGateways", "nat-0123456789abcdef0", {
            name: "theirs",
            vpc,
            subnet: "subnet-0123456789abcde11",
            address,
        });
        for (const [number, gateway] of ["nat-0123456789abcdef0", "igw-0123456789abcdef0"].entries()) {
            const table = `rtb-0123456789abcdef${number}`;
            account.put("routeTables", table, { name: "theirs", vpc });
            account.put("routes", `r-${table}`, { name: "theirs", table, gateway });
            for (const zone of [1, 2]) {
                const subnet = `subnet-0123456789abcde${number}${zone}`;
                account.put("associations", `rtbassoc-${number}${zone}`, { name: "theirs", table, subnet });
            }
        }
        for (const [index, end] of ["01", "02", "11", "12"].entries()) {
            const where = { vpc, cidr: `10.40.${index}.0/24`, zone: `eu-central-1${"ab"[index % 2]}` };
            account.put("subnets", `subnet-0123456789abcde${end}`, { name: end, ...where });
        }
        return account;
    },
    digitalocean(path: string): DigitalOceanAccount {
        const owned = {
            domains: ["example.com", "example.org"],
            images: { 170000001: "ignition", 170000002: "ignition" },
            sshKeys: ["42"],
            defaultVpcs: ["ams3", "fra1", "nyc3", "sgp1"],
            projects: {
                "4e1bfbc3-dc3e-41f2-a18f-1b4d7ba71679": "acme",
                "9cc10173-e9ea-4176-9dbc-a4cee4c4ff30": "other",
            },
        } as const;
        return DigitalOceanAccount.open(path, { ...owned, slowness: 0, throttled: 4 });
    },
} satisfies Record<string, (path: string) => PaperAccount>;

export type CloudName = keyof typeof openAccount;
