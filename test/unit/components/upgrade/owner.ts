import * as pulumi from "@pulumi/pulumi";

/** Of which a guard speaks. */
export class Owner extends pulumi.ComponentResource {
    constructor() {
        super("test:index:Owner", "c");
    }
}

/** In a preview nothing of it is known but that it is there. */
export class Made extends pulumi.CustomResource {
    declare readonly pem: pulumi.Output<string>;
    constructor(name: string) {
        super("test:index:Made", name, { pem: undefined });
    }
}
