import { version } from "@pulumi/digitalocean/package.json";
import { resourceOf } from "../cloud/simulated";
import { type Provider, serve } from "../plugin";
import { simulatedAccount } from "../simulated-account";
import { Account } from "./account";
import { types } from "./types";

const provider: Provider = {
    name: "digitalocean",
    version,
    async configure(config) {
        if (simulatedAccount() === undefined) {
            throw new Error("this is Tradewind's simulated DigitalOcean, and nobody asked for it");
        }
        if (config.token !== undefined || process.env.DIGITALOCEAN_TOKEN) {
            throw new Error(
                "the simulated DigitalOcean takes no token: unset digitalocean:token and DIGITALOCEAN_TOKEN",
            );
        }
    },
    resource(type) {
        const simulated = types[type];
        const account = simulatedAccount();
        if (!simulated) throw new Error(`the simulated DigitalOcean has no ${type}`);
        if (account === undefined) throw new Error("the simulated DigitalOcean has no account");
        return resourceOf(simulated, new Account(account));
    },
};

void serve(provider);
