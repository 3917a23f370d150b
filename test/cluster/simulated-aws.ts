import { Account } from "../../simulator/clouds/aws/account";
import { atAddress, type SimulatedCloud } from "./simulated-cluster";
import { simulatedDomain } from "./simulated-internet";

const region = "eu-central-1";
const ami = "ami-0123456789abcdef0";
/** A custom image, with containerd 2. */
export const ubuntuAmi = "ami-0fedcba9876543210";

/** The account's owner, with all permissions. */
export const owner = { accessKeyId: "AKIAOWNER0000000000", secretAccessKey: "owners-secret-access-key" };
const policy = JSON.stringify({ Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }] });

export const simulatedAws: SimulatedCloud<Account> = {
    cloud: "aws",
    account: (path) => new Account(path),
    open: (path) => {
        Account.open(path, {
            region,
            // Of the calls of programs in the cluster.
            throttledEvery: 10,
            accessKeys: { [owner.accessKeyId]: { secretAccessKey: owner.secretAccessKey, policy } },
            zones: { Z0SIMULATED: simulatedDomain },
            amis: { [ami]: "Flatcar-stable-4593.2.1-hvm", [ubuntuAmi]: "our-ubuntu-26.04-containerd-2" },
        });
    },
    config: { "aws:region": region },
    usable: (kubeconfig, account) =>
        atAddress(kubeconfig, (host) => account.all("records").find(({ name }) => name === host)?.address),
};
