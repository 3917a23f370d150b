module aws-program

go 1.24

// `pulumi package add` adds the package itself.
require github.com/pulumi/pulumi/sdk/v3 v3.245.0
