import type { CheckPace } from "../../../machines";
import type { Made } from "./made";

/** What every kind of load balancer has. */
export interface Balancer extends Made {
    readonly vpc: string;
    readonly address: string;
    readonly dnsName: string;
    readonly subnets: readonly string[];
    readonly groups: readonly string[];
    /** Name of its container in the VPC's network. @default that of the API's */
    readonly container?: string;
    /** @default "internet-facing" */
    readonly scheme?: string;
    /** As the service has them: what is here means nothing to the simulation. @default none */
    readonly attributes?: Readonly<Record<string, string>>;
}

/** A network load balancer; by ARN. */
export interface LoadBalancer extends Balancer {
    /** It answers nothing, and has no name yet. @default it is active */
    readonly state?: "provisioning";
}

/** One of the first generation; by name. */
export interface ClassicLoadBalancer extends Balancer {
    readonly ports: readonly ClassicPort[];
    readonly check: HealthCheck;
    /** Ids. */
    readonly instances: readonly string[];
}

export interface ClassicPort {
    readonly port: number;
    readonly protocol: string;
    readonly instancePort: number;
    readonly instanceProtocol: string;
}

/** As the service tells it; `TCP:80` or `HTTP:80/path`. Unit of times: seconds. */
export interface HealthCheck {
    readonly target: string;
    readonly interval: number;
    readonly timeout: number;
    readonly healthyThreshold: number;
    readonly unhealthyThreshold: number;
}

export interface TargetGroup extends Made {
    readonly vpc: string;
    readonly port: number;
    /** What else the service tells of it, if it was not a stack that made it. */
    readonly said?: Readonly<Record<string, string>>;
    /** What is asked by HTTP. */
    readonly check?: { readonly port: number; readonly path: string };
    /** @default each second, whatever its maker asked for */
    readonly pace?: CheckPace;
}
