import { Account } from "../../simulator/aws/account";
import { type SimulatedCloud, simulatedDomain } from "./simulated-cluster";

const region = "eu-central-1";
const ami = "ami-0123456789abcdef0";

export const simulatedAws: SimulatedCloud<Account> = {
    cloud: "aws",
    account: (path) => new Account(path),
    open: (path) => {
        Account.open(path, {
            region,
            zones: { Z0SIMULATED: simulatedDomain },
            amis: { [ami]: "Flatcar-stable-4593.1.0-hvm" },
        });
    },
    config: { "aws:region": region },
    /** Pulumi's programs find the API by its name; kubectl has to be told its address. */
    usable(kubeconfig, account) {
        const config = JSON.parse(kubeconfig);
        const { cluster } = config.clusters[0];
        const { hostname, port } = new URL(cluster.server);
        const { address } = account.all("records").find(({ name }) => name === hostname)!;
        const reached = { ...cluster, server: `https://${address}:${port}`, "tls-server-name": hostname };
        return JSON.stringify({ ...config, clusters: [{ ...config.clusters[0], cluster: reached }] });
    },
};
