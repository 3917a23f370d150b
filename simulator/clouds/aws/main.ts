import { version } from "@pulumi/aws/package.json";
import { simulatedAccount } from "../../../clients/simulated-account";
import { type Provider, serve } from "../../plugins/protocol/serve";
import { keepServices } from "../services/keep";
import { Memory } from "../shared/memory";
import { namesOf, resourceOf } from "../shared/simulated";
import { Account } from "./account";
import type { Tags } from "./created";
import { functions } from "./functions";
import { asInProvider, defaultTagsIn, takesTags } from "./provider";
import { services } from "./services";
import { types } from "./types";

/** Tags that the user's configuration adds to all resources: `aws:defaultTags`. */
let defaultTags: Tags = {};

const credentials = ["accessKey", "secretKey", "token", "profile", "assumeRoles", "assumeRoleWithWebIdentity"];

const provider: Provider = {
    name: "aws",
    version,
    settings: ["region"],
    types: namesOf(types),
    async configure(config) {
        if (simulatedAccount() === undefined) {
            throw new Error("this is Tradewind's simulated AWS, which was not requested");
        }
        const env = ["AWS_ACCESS_KEY_ID", "AWS_SESSION_TOKEN", "AWS_PROFILE"].filter((name) => process.env[name]);
        const given = [...credentials.filter((key) => config[key] !== undefined).map((key) => `aws:${key}`), ...env];
        if (given.length > 0) throw new Error(`the simulated AWS takes no credentials: unset ${given.join(", ")}`);
        defaultTags = defaultTagsIn(config.defaultTags);
        const { region } = account().state;
        if (config.region !== region) {
            throw new Error(`aws:region must be the simulated account's ${region} (got ${config.region})`);
        }
        await keepServices("aws", account(), services);
    },
    resource(type) {
        const simulated = types[type];
        if (!simulated) throw new Error(`the simulated AWS has no ${type}`);
        const own = resourceOf(simulated, account(), (id) => account().has(id), new Memory(account().path));
        return asInProvider(own, account(), { type, hasTags: takesTags(simulated.inputs), defaultTags });
    },
    async invoke(token, args) {
        const answer = functions[token];
        if (!answer) throw new Error(`the simulated AWS has no function ${token}`);
        return answer(account(), args, defaultTags);
    },
};

function account(): Account {
    const path = simulatedAccount();
    if (path === undefined) throw new Error("the simulated AWS has no account");
    return new Account(path);
}

void serve(provider);
