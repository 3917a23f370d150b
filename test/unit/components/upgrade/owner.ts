import * as pulumi from "@pulumi/pulumi";

/** Resource that a guard logs for. */
export class Owner extends pulumi.ComponentResource {
    constructor() {
        super("test:index:Owner", "c");
    }
}

/** In a preview, only its existence is known. */
export class Created extends pulumi.CustomResource {
    declare readonly pem: pulumi.Output<string>;
    constructor(name: string) {
        super("test:index:Made", name, { pem: undefined });
    }
}
