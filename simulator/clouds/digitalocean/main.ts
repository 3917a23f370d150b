import { version } from "@pulumi/digitalocean/package.json";
import { simulatedAccount } from "../../../clients/simulated-account";
import { type Provider, serve } from "../../plugins/protocol/serve";
import { keepServices } from "../services/keep";
import { namesOf, resourceOf } from "../shared/simulated";
import { Account } from "./account";
import { call } from "./client";
import { functions } from "./functions";
import { recorded } from "./recorded";
import { services } from "./services";
import { types } from "./types";

const provider: Provider = {
    name: "digitalocean",
    version,
    types: namesOf(types),
    async configure(config) {
        if (simulatedAccount() === undefined) {
            throw new Error("this is Tradewind's simulated DigitalOcean, which was not requested");
        }
        if (config.token !== undefined || process.env.DIGITALOCEAN_TOKEN) {
            throw new Error(
                "the simulated DigitalOcean takes no token: unset digitalocean:token and DIGITALOCEAN_TOKEN",
            );
        }
        await keepServices("digitalocean", account(), services);
    },
    resource(type) {
        const simulated = types[type];
        if (!simulated) throw new Error(`the simulated DigitalOcean has no ${type}`);
        return recorded(resourceOf(simulated, account()), account(), simulated.now);
    },
    async invoke(token, args) {
        const answer = functions[token];
        if (!answer) throw new Error(`the simulated DigitalOcean has no function ${token}`);
        return call(account(), `Error calling ${token}`, () => answer(account(), args));
    },
};

export function account(): Account {
    const path = simulatedAccount();
    if (path === undefined) throw new Error("the simulated DigitalOcean has no account");
    return new Account(path);
}

void serve(provider);
