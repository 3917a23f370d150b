import type { CloudServices } from "../../services/service";
import { Account } from "../account";
import { metadata } from "./metadata";
import { callerOf, spaces } from "./spaces";

/** DigitalOcean as its droplets see it. */
export const digitalOceanServices: CloudServices<Account> = {
    account: (path) => new Account(path),
    networks: ({ resources }) => Object.values(resources.vpcs).map(({ name }) => name),
    metadata,
    apis: [spaces],
    callerOf,
    work: [],
};
