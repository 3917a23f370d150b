package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/endpoints/metrics"
	"k8s.io/apiserver/pkg/endpoints/request"
	genericapiserver "k8s.io/apiserver/pkg/server"
)

// delay of each request of a slow server, of which a watch only begins later. Kubernetes promises one second.
const delay = 1500 * time.Millisecond

// A decorator puts something before the handler of requests that are authenticated and authorised.
type decorator func(http.Handler, *genericapiserver.Config) http.Handler

func faultNamed(name string) (decorator, error) {
	switch name {
	case "slow":
		return slow, nil
	case "refuse-writes":
		return refuseWrites(func(*http.Request) error { return errors.NewServiceUnavailable("a fault of this build") }), nil
	case "forbid-writes":
		return refuseWrites(func(req *http.Request) error {
			info, _ := request.RequestInfoFrom(req.Context())
			resource := schema.GroupResource{Group: info.APIGroup, Resource: info.Resource}
			return errors.NewForbidden(resource, info.Name, fmt.Errorf("a fault of this build"))
		}), nil
	case "leak-watches":
		return leakWatches, nil
	}
	return nil, fmt.Errorf("FAULT must be slow, refuse-writes, forbid-writes or leak-watches (got %q)", name)
}

// beginning passes requests on unchanged until a time after the start.
func beginning(after time.Duration, fault decorator) decorator {
	start := time.Now()
	return func(healthy http.Handler, c *genericapiserver.Config) http.Handler {
		faulty := fault(healthy, c)
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if time.Since(start) < after {
				healthy.ServeHTTP(w, req)
			} else {
				faulty.ServeHTTP(w, req)
			}
		})
	}
}

func slow(next http.Handler, _ *genericapiserver.Config) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !isOwn(req) {
			time.Sleep(delay)
		}
		next.ServeHTTP(w, req)
	})
}

// isOwn tells whether the server itself asks, which must not fail or take long: otherwise it would never be ready.
func isOwn(req *http.Request) bool {
	who, ok := request.UserFrom(req.Context())
	return ok && who.GetName() == user.APIServerUser
}

// refuseWrites fails what would be stored, and counts it as Kubernetes counts errors.
func refuseWrites(refusal func(*http.Request) error) decorator {
	return func(next http.Handler, c *genericapiserver.Config) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			info, _ := request.RequestInfoFrom(req.Context())
			if !isStored(info) || isOwn(req) {
				next.ServeHTTP(w, req)
				return
			}
			version := schema.GroupVersion{Group: info.APIGroup, Version: info.APIVersion}
			refuse := func(w http.ResponseWriter, req *http.Request) {
				responsewriters.ErrorNegotiated(refusal(req), c.Serializer, version, w, req)
			}
			verb, scope := strings.ToUpper(info.Verb), metrics.CleanScope(info)
			metrics.InstrumentHandlerFunc(
				verb, info.APIGroup, info.APIVersion, info.Resource, info.Subresource, scope,
				metrics.APIServerComponent, false, "", refuse)(w, req)
		})
	}
}

func isStored(info *request.RequestInfo) bool {
	if info == nil || !info.IsResourceRequest {
		return false
	}
	switch info.APIGroup {
	case "authentication.k8s.io", "authorization.k8s.io":
		return false
	}
	switch info.Verb {
	case "create", "update", "patch", "delete", "deletecollection":
		return true
	}
	return false
}

// leakWatches lets watches go on after their client has gone.
func leakWatches(next http.Handler, _ *genericapiserver.Config) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		info, _ := request.RequestInfoFrom(req.Context())
		if info == nil || info.Verb != "watch" || req.Header.Get("Upgrade") != "" {
			next.ServeHTTP(w, req)
			return
		}
		kept := &keptWriter{to: w, own: http.Header{}}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			defer func() { _ = recover() }()
			next.ServeHTTP(kept, req.WithContext(context.WithoutCancel(req.Context())))
		}()
		select {
		case <-ended:
		case <-req.Context().Done():
			kept.abandon()
		}
	})
}

// keptWriter takes what a watch writes also when the client has gone, when the real one may no longer be used.
type keptWriter struct {
	mutex sync.Mutex
	// nil once the client has gone.
	to  http.ResponseWriter
	own http.Header
}

func (k *keptWriter) abandon() {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.to = nil
}

func (k *keptWriter) Header() http.Header {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.to == nil {
		return k.own
	}
	return k.to.Header()
}

func (k *keptWriter) WriteHeader(code int) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.to != nil {
		k.to.WriteHeader(code)
	}
}

func (k *keptWriter) Write(data []byte) (int, error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.to == nil {
		return len(data), nil
	}
	// An error would end the watch.
	_, _ = k.to.Write(data)
	return len(data), nil
}

func (k *keptWriter) Flush() {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if flusher, ok := k.to.(http.Flusher); ok {
		flusher.Flush()
	}
}

// CloseNotify is what Kubernetes knows the writers of watches by; it is never used.
func (k *keptWriter) CloseNotify() <-chan bool {
	return nil
}
