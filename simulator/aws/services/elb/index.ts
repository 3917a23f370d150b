import { elbDialect, queryApi } from "../query/protocol";
import { classicActions } from "./classic";
import { networkActions } from "./network";

/** Elastic Load Balancing of both generations, as far as a cloud controller asks it. Source: their API references. */
export const elasticLoadBalancing = queryApi(/^elasticloadbalancing\.([a-z0-9-]+\.)?amazonaws\.com$/, [
    { version: "2012-06-01", dialect: elbDialect, actions: classicActions },
    { version: "2015-12-01", dialect: elbDialect, actions: networkActions },
]);
