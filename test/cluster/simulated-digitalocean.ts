import { Account } from "../../simulator/clouds/digitalocean/account";
import { atAddress, type SimulatedCloud } from "./simulated-cluster";
import { simulatedDomain } from "./simulated-internet";

const image = 170_000_001;
const sshKey = 42;

export const simulatedDigitalOcean: SimulatedCloud<Account> = {
    cloud: "digitalocean",
    account: (path) => new Account(path),
    open(path) {
        const images = { [image]: "ignition" } as const;
        const sshKeys = [String(sshKey)];
        const owned = { domains: [simulatedDomain], images, sshKeys, defaultVpcs: ["fra1"] };
        // The provider repeats its first call four times.
        Account.open(path, { ...owned, throttled: 4 });
    },
    config: { image, sshKeys: [sshKey] },
    usable(kubeconfig, { resources }) {
        const records = Object.values(resources.dnsRecords);
        return atAddress(kubeconfig, (host) => records.find(({ name, domain }) => `${name}.${domain}` === host)?.value);
    },
};
