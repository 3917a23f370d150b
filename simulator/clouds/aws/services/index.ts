import type { CloudServices } from "../../services/service";
import { Account } from "../account";
import { keepGroups } from "../keep-groups";
import { reached } from "../way-to-service";
import { autoScaling } from "./auto-scaling";
import { callerOf } from "./caller";
import { ec2 } from "./ec2";
import { ecr, ecrRegistry } from "./ecr";
import { elasticLoadBalancing } from "./elb";
import { metadata } from "./metadata";
import { s3 } from "./s3";

/** AWS as its instances see it. */
export const services: CloudServices<Account> = {
    account: (path) => new Account(path),
    networks: (account) => account.all("vpcs").map(({ name }) => name),
    metadata,
    apis: [s3, ...[autoScaling, ec2, ecr, ecrRegistry, elasticLoadBalancing].map(reached)],
    callerOf,
    work: [keepGroups],
};
