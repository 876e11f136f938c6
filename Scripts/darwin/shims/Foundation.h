// The classes of Foundation that are Objective-C's: only what this repository uses, written from Apple's documentation.
//
// Classes and blocks are Sendable where the generated bindings of objc2 say `Send` and `SendableBlock`, which is where Apple's
// headers say NS_SWIFT_SENDABLE.
#import <objc/NSObject.h>
#import <objc/objc.h>
#import <dispatch/dispatch.h>
#import <TargetConditionals.h>
#import <sys/types.h>
#import <CoreFoundation/CoreFoundation.h>

#define SENDABLE __attribute__((swift_attr("@Sendable")))
#define NOT_FROM_ASYNC __attribute__((swift_attr("@_unavailableFromAsync(message: \"Use async-safe scoped locking instead\")")))
#define NAME(name) __attribute__((swift_name(#name)))
#define BRIDGED(type) __attribute__((swift_bridge(type)))
#define AVAILABLE(...) __attribute__((availability(macos, introduced=__VA_ARGS__)))
#define DESIGNATED __attribute__((objc_designated_initializer))
#define ENUM(type, name, swift) enum __attribute__((enum_extensibility(open))) NAME(swift) name : type name; enum name : type
#define OPTIONS(type, name, swift) enum __attribute__((flag_enum, enum_extensibility(open))) NAME(swift) name : type name; enum name : type
#define REFINED __attribute__((swift_private))

#pragma clang assume_nonnull begin

@class NSCoder, NSString, NSURL, NSData, NSDate, NSError, NSURLRequest, NSURLResponse, NSURLSession, NSURLSessionTask, NSInputStream;
typedef double NSTimeInterval;
typedef struct _NSRange { NSUInteger location; NSUInteger length; } NSRange;

@protocol NSCopying
- (id)copyWithZone:(nullable struct _NSZone *)zone;
@end
@protocol NSMutableCopying
- (id)mutableCopyWithZone:(nullable struct _NSZone *)zone;
@end
@protocol NSCoding
@end
@protocol NSSecureCoding <NSCoding>
@end

BRIDGED("Swift.String") @interface NSString : NSObject <NSCopying, NSSecureCoding>
- (instancetype)initWithString:(NSString *)aString;
- (NSString *)substringWithRange:(NSRange)range;
@end
BRIDGED("Swift.Array") @interface NSArray<__covariant ObjectType> : NSObject <NSCopying, NSSecureCoding>
@end
BRIDGED("Swift.Dictionary") @interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject <NSCopying, NSSecureCoding>
@end
BRIDGED("Swift.Set") @interface NSSet<__covariant ObjectType> : NSObject <NSCopying, NSSecureCoding>
@end
BRIDGED("FoundationEssentials.URL") SENDABLE @interface NSURL : NSObject <NSCopying, NSSecureCoding>
@end
BRIDGED("FoundationEssentials.Data") @interface NSData : NSObject <NSCopying, NSSecureCoding>
@end
BRIDGED("FoundationEssentials.Date") SENDABLE @interface NSDate : NSObject <NSCopying, NSSecureCoding>
@end
BRIDGED("FoundationEssentials.Locale") SENDABLE @interface NSLocale : NSObject <NSCopying, NSSecureCoding>
@end
BRIDGED("FoundationEssentials.TimeZone") SENDABLE @interface NSTimeZone : NSObject <NSCopying, NSSecureCoding>
@end
BRIDGED("FoundationEssentials.UUID") SENDABLE @interface NSUUID : NSObject <NSCopying, NSSecureCoding>
@end
@interface NSValue : NSObject <NSCopying, NSSecureCoding>
@property (readonly) const char *objCType;
@end
SENDABLE @interface NSNumber : NSValue
- (instancetype)initWithBool:(BOOL)value NAME(init(value:));
- (instancetype)initWithChar:(signed char)value NAME(init(value:));
- (instancetype)initWithInteger:(NSInteger)value NAME(init(value:));
- (instancetype)initWithLongLong:(long long)value NAME(init(value:));
- (instancetype)initWithUnsignedLongLong:(unsigned long long)value NAME(init(value:));
- (instancetype)initWithFloat:(float)value NAME(init(value:));
- (instancetype)initWithDouble:(double)value NAME(init(value:));
@property (readonly) NSInteger integerValue NAME(intValue);
@property (readonly) long long longLongValue NAME(int64Value);
@property (readonly) unsigned long long unsignedLongLongValue NAME(uint64Value);
@property (readonly) BOOL boolValue;
@property (readonly) float floatValue;
@property (readonly) double doubleValue;
@end
SENDABLE @interface NSDecimalNumber : NSNumber
- (instancetype)initWithString:(nullable NSString *)numberValue;
@end
SENDABLE @interface NSNull : NSObject <NSCopying, NSSecureCoding>
@end
BRIDGED("Swift.Error") SENDABLE @interface NSError : NSObject <NSCopying, NSSecureCoding>
- (instancetype)initWithDomain:(NSString *)domain code:(NSInteger)code userInfo:(nullable NSDictionary<NSString *, id> *)dict DESIGNATED;
@property (readonly, copy) NSString *domain;
@property (readonly) NSInteger code;
@property (readonly, copy) NSDictionary<NSString *, id> *userInfo;
@property (readonly, copy) NSString *localizedDescription;
@end
extern NSString *const NSLocalizedDescriptionKey;
extern NSString *const NSUnderlyingErrorKey;
extern NSString *const NSURLErrorDomain;
extern NSString *const NSPOSIXErrorDomain;
extern NSString *const NSURLErrorFailingURLErrorKey;

extern _Nullable Class NSClassFromString(NSString *aClassName);

// MARK: Threads and locks

@protocol NSLocking
- (void)lock NOT_FROM_ASYNC;
- (void)unlock NOT_FROM_ASYNC;
@end
SENDABLE @interface NSLock : NSObject <NSLocking>
- (BOOL)tryLock NAME(try()) NOT_FROM_ASYNC;
@property (nullable, copy) NSString *name;
@end
SENDABLE @interface NSRecursiveLock : NSObject <NSLocking>
- (BOOL)tryLock NAME(try()) NOT_FROM_ASYNC;
@property (nullable, copy) NSString *name;
@end
SENDABLE @interface NSCondition : NSObject <NSLocking>
- (void)wait NOT_FROM_ASYNC;
- (BOOL)waitUntilDate:(NSDate *)limit NAME(wait(until:)) NOT_FROM_ASYNC;
- (void)signal;
- (void)broadcast;
@end

typedef ENUM(NSInteger, NSQualityOfService, QualityOfService) {
  NSQualityOfServiceUserInteractive = 0x21, NSQualityOfServiceUserInitiated = 0x19, NSQualityOfServiceUtility = 0x11,
  NSQualityOfServiceBackground = 0x09, NSQualityOfServiceDefault = -1
};

NAME(Thread) @interface NSThread : NSObject
@property (class, readonly, strong) NSThread *currentThread NAME(current);
@property (class, readonly) BOOL isMainThread __attribute__((swift_attr("@_unavailableFromAsync(message: \"Work intended for the main actor should be marked with @MainActor\")")));
@property (readonly) BOOL isMainThread;
+ (void)sleepForTimeInterval:(NSTimeInterval)ti;
@property (nullable, copy) NSString *name;
@property NSUInteger stackSize;
@property NSQualityOfService qualityOfService;
@property (readonly, getter=isExecuting) BOOL executing;
@property (readonly, getter=isFinished) BOOL finished;
@property (readonly, getter=isCancelled) BOOL cancelled;
- (instancetype)init DESIGNATED;
- (instancetype)initWithBlock:(void (^ SENDABLE)(void))block;
+ (void)detachNewThreadWithBlock:(void (^ SENDABLE)(void))block;
- (void)start;
- (void)cancel;
- (void)main;
@end

NAME(RunLoop) @interface NSRunLoop : NSObject
@property (class, readonly, strong) NSRunLoop *currentRunLoop NAME(current);
@property (class, readonly, strong) NSRunLoop *mainRunLoop NAME(main);
- (CFRunLoopRef)getCFRunLoop;
- (void)runUntilDate:(NSDate *)limitDate NAME(run(until:)) NOT_FROM_ASYNC;
@end

SENDABLE NAME(OperationQueue) @interface NSOperationQueue : NSObject
@property NSInteger maxConcurrentOperationCount;
@property (class, readonly, strong) NSOperationQueue *mainQueue NAME(main);
@end

// MARK: Files and processes

SENDABLE NAME(Bundle) @interface NSBundle : NSObject
@property (class, readonly, strong) NSBundle *mainBundle NAME(main);
+ (NSBundle *)bundleForClass:(Class)aClass NAME(init(for:));
- (nullable instancetype)initWithPath:(NSString *)path DESIGNATED;
- (nullable instancetype)initWithURL:(NSURL *)url;
@property (readonly, copy) NSURL *bundleURL;
@property (nullable, readonly, copy) NSURL *resourceURL;
@property (nullable, readonly, copy) NSURL *executableURL;
@property (readonly, copy) NSString *bundlePath;
@property (nullable, readonly, copy) NSString *bundleIdentifier;
- (nullable NSURL *)URLForResource:(nullable NSString *)name withExtension:(nullable NSString *)ext;
@end

SENDABLE NAME(FileHandle) @interface NSFileHandle : NSObject <NSSecureCoding>
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardInput NAME(standardInput);
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardOutput NAME(standardOutput);
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardError NAME(standardError);
@property (class, readonly, strong) NSFileHandle *fileHandleWithNullDevice NAME(nullDevice);
+ (nullable instancetype)fileHandleForWritingToURL:(NSURL *)url error:(NSError **)error NAME(init(forWritingTo:));
+ (nullable instancetype)fileHandleForReadingFromURL:(NSURL *)url error:(NSError **)error NAME(init(forReadingFrom:));
- (instancetype)initWithFileDescriptor:(int)fd closeOnDealloc:(BOOL)closeopt DESIGNATED;
@property (readonly, copy) NSData *availableData;
- (NSData *)readDataToEndOfFile;
- (NSData *)readDataOfLength:(NSUInteger)length;
- (void)writeData:(NSData *)data;
- (void)closeFile;
- (BOOL)closeAndReturnError:(NSError **)error NAME(close());
@property (readonly) int fileDescriptor;
@end

SENDABLE NAME(Pipe) @interface NSPipe : NSObject
- (instancetype)init;
@property (readonly, strong) NSFileHandle *fileHandleForReading;
@property (readonly, strong) NSFileHandle *fileHandleForWriting;
@end

// The other platforms' Foundation doesn't have it at all: "cannot find 'Process' in scope".
#if TARGET_OS_OSX
typedef ENUM(NSInteger, NSTaskTerminationReason, Process.TerminationReason) { NSTaskTerminationReasonExit = 1, NSTaskTerminationReasonUncaughtSignal = 2 };
SENDABLE NAME(Process) @interface NSTask : NSObject
- (instancetype)init DESIGNATED;
@property (nullable, copy) NSURL *executableURL;
@property (nullable, copy) NSArray<NSString *> *arguments;
@property (nullable, copy) NSDictionary<NSString *, NSString *> *environment;
@property (nullable, copy) NSURL *currentDirectoryURL;
@property (nullable, retain) id standardInput;
@property (nullable, retain) id standardOutput;
@property (nullable, retain) id standardError;
- (BOOL)launchAndReturnError:(NSError **)error NAME(run());
- (void)interrupt;
- (void)terminate;
- (void)waitUntilExit;
@property (readonly) int processIdentifier;
@property (readonly, getter=isRunning) BOOL running;
@property (readonly) int terminationStatus;
@property (readonly) NSTaskTerminationReason terminationReason;
@property (nullable, copy) void (^ SENDABLE terminationHandler)(NSTask *);
@end
#endif

typedef ENUM(NSUInteger, NSStreamStatus, Stream.Status) { NSStreamStatusNotOpen = 0, NSStreamStatusOpening = 1, NSStreamStatusOpen = 2 };
NAME(Stream) @interface NSStream : NSObject
- (void)open;
- (void)close;
@property (readonly) NSStreamStatus streamStatus;
@property (nullable, readonly, copy) NSError *streamError;
@end
NAME(InputStream) @interface NSInputStream : NSStream
- (NSInteger)read:(uint8_t *)buffer maxLength:(NSUInteger)len;
@property (readonly) BOOL hasBytesAvailable;
- (instancetype)initWithData:(NSData *)data DESIGNATED;
- (nullable instancetype)initWithURL:(NSURL *)url DESIGNATED;
@end

NAME(DateFormatter) SENDABLE @interface NSDateFormatter : NSObject
@property (null_resettable, copy) NSString *dateFormat;
@property (null_resettable, copy) NSLocale *locale;
@property (null_resettable, copy) NSTimeZone *timeZone;
- (NSString *)stringFromDate:(NSDate *)date;
- (nullable NSDate *)dateFromString:(NSString *)string;
@end
NAME(ISO8601DateFormatter) @interface NSISO8601DateFormatter : NSObject
- (instancetype)init DESIGNATED;
- (NSString *)stringFromDate:(NSDate *)date;
- (nullable NSDate *)dateFromString:(NSString *)string;
@end

// MARK: Expressions

typedef OPTIONS(NSUInteger, NSRegularExpressionOptions, NSRegularExpression.Options) {
  NSRegularExpressionCaseInsensitive = 1 << 0, NSRegularExpressionAnchorsMatchLines = 1 << 4,
  NSRegularExpressionDotMatchesLineSeparators = 1 << 3
};
typedef OPTIONS(NSUInteger, NSMatchingOptions, NSRegularExpression.MatchingOptions) { NSMatchingAnchored = 1 << 2 };
@interface NSTextCheckingResult : NSObject <NSCopying, NSSecureCoding>
@property (readonly) NSRange range;
@property (readonly) NSUInteger numberOfRanges;
- (NSRange)rangeAtIndex:(NSUInteger)idx;
@end
SENDABLE @interface NSRegularExpression : NSObject <NSCopying, NSSecureCoding>
- (nullable instancetype)initWithPattern:(NSString *)pattern options:(NSRegularExpressionOptions)options error:(NSError **)error DESIGNATED;
@property (readonly, copy) NSString *pattern;
- (nullable NSTextCheckingResult *)firstMatchInString:(NSString *)string options:(NSMatchingOptions)options range:(NSRange)range;
- (NSArray<NSTextCheckingResult *> *)matchesInString:(NSString *)string options:(NSMatchingOptions)options range:(NSRange)range;
+ (NSString *)escapedPatternForString:(NSString *)string NAME(escapedPattern(for:));
- (NSString *)stringByReplacingMatchesInString:(NSString *)string options:(NSMatchingOptions)options range:(NSRange)range withTemplate:(NSString *)templ NAME(stringByReplacingMatches(in:options:range:withTemplate:));
- (NSUInteger)numberOfMatchesInString:(NSString *)string options:(NSMatchingOptions)options range:(NSRange)range;
@end

// MARK: URL loading

typedef ENUM(NSUInteger, NSURLRequestCachePolicy, NSURLRequest.CachePolicy) {
  NSURLRequestUseProtocolCachePolicy = 0, NSURLRequestReloadIgnoringLocalCacheData = 1, NSURLRequestReturnCacheDataElseLoad = 2
};
typedef ENUM(NSUInteger, NSURLCacheStoragePolicy, URLCache.StoragePolicy) {
  NSURLCacheStorageAllowed, NSURLCacheStorageAllowedInMemoryOnly, NSURLCacheStorageNotAllowed
};
BRIDGED("Foundation.URLRequest") SENDABLE @interface NSURLRequest : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (nullable, readonly, copy) NSURL *URL;
@end
SENDABLE NAME(URLResponse) @interface NSURLResponse : NSObject <NSCopying, NSSecureCoding>
- (instancetype)initWithURL:(NSURL *)URL MIMEType:(nullable NSString *)MIMEType expectedContentLength:(NSInteger)length textEncodingName:(nullable NSString *)name DESIGNATED;
@property (nullable, readonly, copy) NSURL *URL;
@property (nullable, readonly, copy) NSString *MIMEType;
@property (readonly) long long expectedContentLength;
@property (nullable, readonly, copy) NSString *textEncodingName;
@end
SENDABLE NAME(HTTPURLResponse) @interface NSHTTPURLResponse : NSURLResponse
- (nullable instancetype)initWithURL:(NSURL *)url statusCode:(NSInteger)statusCode HTTPVersion:(nullable NSString *)HTTPVersion headerFields:(nullable NSDictionary<NSString *, NSString *> *)headerFields;
@property (readonly) NSInteger statusCode;
@property (readonly, copy) NSDictionary *allHeaderFields;
- (nullable NSString *)valueForHTTPHeaderField:(NSString *)field;
+ (NSString *)localizedStringForStatusCode:(NSInteger)statusCode;
@end
SENDABLE NAME(CachedURLResponse) @interface NSCachedURLResponse : NSObject <NSSecureCoding, NSCopying>
@end
SENDABLE NAME(URLCache) @interface NSURLCache : NSObject
@end

typedef ENUM(NSUInteger, NSHTTPCookieAcceptPolicy, HTTPCookie.AcceptPolicy) {
  NSHTTPCookieAcceptPolicyAlways, NSHTTPCookieAcceptPolicyNever, NSHTTPCookieAcceptPolicyOnlyFromMainDocumentDomain
};
SENDABLE NAME(HTTPCookie) @interface NSHTTPCookie : NSObject
+ (NSDictionary<NSString *, NSString *> *)requestHeaderFieldsWithCookies:(NSArray<NSHTTPCookie *> *)cookies;
+ (NSArray<NSHTTPCookie *> *)cookiesWithResponseHeaderFields:(NSDictionary<NSString *, NSString *> *)headerFields forURL:(NSURL *)URL;
@property (readonly, copy) NSString *name;
@property (readonly, copy) NSString *value;
@end
SENDABLE NAME(HTTPCookieStorage) @interface NSHTTPCookieStorage : NSObject
@property (class, readonly, strong) NSHTTPCookieStorage *sharedHTTPCookieStorage NAME(shared);
@property (nullable, readonly, copy) NSArray<NSHTTPCookie *> *cookies;
- (void)setCookie:(NSHTTPCookie *)cookie;
- (void)deleteCookie:(NSHTTPCookie *)cookie;
- (nullable NSArray<NSHTTPCookie *> *)cookiesForURL:(NSURL *)URL;
@property NSHTTPCookieAcceptPolicy cookieAcceptPolicy;
@end

@interface NSMutableURLRequest : NSURLRequest
@end

@class NSURLProtocol;
SENDABLE NAME(URLProtocolClient) @protocol NSURLProtocolClient <NSObject>
- (void)URLProtocol:(NSURLProtocol *)protocol wasRedirectedToRequest:(NSURLRequest *)request redirectResponse:(NSURLResponse *)redirectResponse;
- (void)URLProtocol:(NSURLProtocol *)protocol cachedResponseIsValid:(NSCachedURLResponse *)cachedResponse;
- (void)URLProtocol:(NSURLProtocol *)protocol didReceiveResponse:(NSURLResponse *)response cacheStoragePolicy:(NSURLCacheStoragePolicy)policy;
- (void)URLProtocol:(NSURLProtocol *)protocol didLoadData:(NSData *)data;
- (void)URLProtocolDidFinishLoading:(NSURLProtocol *)protocol;
- (void)URLProtocol:(NSURLProtocol *)protocol didFailWithError:(NSError *)error;
@end
NAME(URLProtocol) @interface NSURLProtocol : NSObject
- (instancetype)initWithRequest:(NSURLRequest *)request cachedResponse:(nullable NSCachedURLResponse *)cachedResponse client:(nullable id<NSURLProtocolClient>)client DESIGNATED;
@property (nullable, readonly, retain) id<NSURLProtocolClient> client;
@property (readonly, copy) NSURLRequest *request;
@property (nullable, readonly, copy) NSCachedURLResponse *cachedResponse;
+ (BOOL)canInitWithRequest:(NSURLRequest *)request;
+ (NSURLRequest *)canonicalRequestForRequest:(NSURLRequest *)request;
+ (BOOL)requestIsCacheEquivalent:(NSURLRequest *)a toRequest:(NSURLRequest *)b;
- (void)startLoading;
- (void)stopLoading;
+ (nullable id)propertyForKey:(NSString *)key inRequest:(NSURLRequest *)request;
+ (void)setProperty:(id)value forKey:(NSString *)key inRequest:(NSMutableURLRequest *)request;
+ (BOOL)registerClass:(Class)protocolClass;
+ (void)unregisterClass:(Class)protocolClass;
@end
@interface NSURLProtocol (NSURLSessionTaskAdditions)
+ (BOOL)canInitWithTask:(NSURLSessionTask *)task;
- (instancetype)initWithTask:(NSURLSessionTask *)task cachedResponse:(nullable NSCachedURLResponse *)cachedResponse client:(nullable id<NSURLProtocolClient>)client;
@property (nullable, readonly, copy) NSURLSessionTask *task;
@end

typedef ENUM(NSInteger, NSURLSessionTaskState, URLSessionTask.State) {
  NSURLSessionTaskStateRunning = 0, NSURLSessionTaskStateSuspended = 1, NSURLSessionTaskStateCanceling = 2, NSURLSessionTaskStateCompleted = 3
};
SENDABLE NAME(URLSessionTask) @interface NSURLSessionTask : NSObject <NSCopying>
@property (readonly) NSUInteger taskIdentifier;
@property (nullable, readonly, copy) NSURLRequest *originalRequest;
@property (nullable, readonly, copy) NSURLRequest *currentRequest;
@property (nullable, readonly, copy) NSURLResponse *response;
@property (readonly) NSURLSessionTaskState state;
@property (nullable, readonly, copy) NSError *error;
- (void)suspend;
- (void)resume;
- (void)cancel;
@end
SENDABLE NAME(URLSessionDataTask) @interface NSURLSessionDataTask : NSURLSessionTask
@end
SENDABLE NAME(URLSessionUploadTask) @interface NSURLSessionUploadTask : NSURLSessionDataTask
@end
SENDABLE NAME(URLSessionDownloadTask) @interface NSURLSessionDownloadTask : NSURLSessionTask
@end

SENDABLE NAME(URLSessionWebSocketTask) @interface NSURLSessionWebSocketTask : NSURLSessionTask
@end

SENDABLE NAME(URLCredential) @interface NSURLCredential : NSObject <NSCopying>
@end
SENDABLE NAME(URLCredentialStorage) @interface NSURLCredentialStorage : NSObject
@end
SENDABLE NAME(URLAuthenticationChallenge) @interface NSURLAuthenticationChallenge : NSObject
@property (nullable, readonly, copy) NSURLResponse *failureResponse;
@end
SENDABLE NAME(URLSessionConfiguration) @interface NSURLSessionConfiguration : NSObject <NSCopying>
@property (class, readonly, strong) NSURLSessionConfiguration *defaultSessionConfiguration NAME(default);
@property (class, readonly, strong) NSURLSessionConfiguration *ephemeralSessionConfiguration NAME(ephemeral);
@property NSURLRequestCachePolicy requestCachePolicy;
@property NSTimeInterval timeoutIntervalForRequest;
@property NSTimeInterval timeoutIntervalForResource;
@property BOOL waitsForConnectivity;
@property (nullable, copy) NSDictionary *HTTPAdditionalHeaders;
@property NSInteger HTTPMaximumConnectionsPerHost;
@property BOOL HTTPShouldSetCookies;
@property NSHTTPCookieAcceptPolicy HTTPCookieAcceptPolicy;
@property (nullable, retain) NSHTTPCookieStorage *HTTPCookieStorage;
@property (nullable, retain) NSURLCache *URLCache;
@property (nullable, retain) NSURLCredentialStorage *URLCredentialStorage;
@property (nullable, copy) NSArray<Class> *protocolClasses;
@end

SENDABLE NAME(URLSessionDelegate) @protocol NSURLSessionDelegate <NSObject>
@optional
- (void)URLSession:(NSURLSession *)session didBecomeInvalidWithError:(nullable NSError *)error;
@end
typedef ENUM(NSInteger, NSURLSessionAuthChallengeDisposition, URLSession.AuthChallengeDisposition) {
  NSURLSessionAuthChallengeUseCredential = 0, NSURLSessionAuthChallengePerformDefaultHandling = 1,
  NSURLSessionAuthChallengeCancelAuthenticationChallenge = 2, NSURLSessionAuthChallengeRejectProtectionSpace = 3
};
SENDABLE NAME(URLSessionTaskDelegate) @protocol NSURLSessionTaskDelegate <NSURLSessionDelegate>
@optional
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task willPerformHTTPRedirection:(NSHTTPURLResponse *)response newRequest:(NSURLRequest *)request completionHandler:(void (^ SENDABLE)(NSURLRequest *_Nullable))completionHandler;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge completionHandler:(void (^ SENDABLE)(NSURLSessionAuthChallengeDisposition disposition, NSURLCredential *_Nullable credential))completionHandler;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didCompleteWithError:(nullable NSError *)error;
@end
typedef ENUM(NSInteger, NSURLSessionResponseDisposition, URLSession.ResponseDisposition) {
  NSURLSessionResponseCancel = 0, NSURLSessionResponseAllow = 1, NSURLSessionResponseBecomeDownload = 2
};
SENDABLE NAME(URLSessionDataDelegate) @protocol NSURLSessionDataDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask didReceiveResponse:(NSURLResponse *)response completionHandler:(void (^ SENDABLE)(NSURLSessionResponseDisposition disposition))completionHandler;
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask didReceiveData:(NSData *)data;
@end

SENDABLE NAME(URLSession) @interface NSURLSession : NSObject
@property (class, readonly, strong) NSURLSession *sharedSession NAME(shared);
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration;
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration delegate:(nullable id<NSURLSessionDelegate>)delegate delegateQueue:(nullable NSOperationQueue *)queue;
@property (readonly, copy) NSURLSessionConfiguration *configuration;
- (void)finishTasksAndInvalidate;
- (void)invalidateAndCancel;
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request;
- (NSURLSessionDataTask *)dataTaskWithURL:(NSURL *)url;
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request fromData:(NSData *)bodyData;
- (NSURLSessionDownloadTask *)downloadTaskWithURL:(NSURL *)url;
- (NSURLSessionWebSocketTask *)webSocketTaskWithURL:(NSURL *)url;
@end
@interface NSURLSession (NSURLSessionAsynchronousConvenience)
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request completionHandler:(void (^ SENDABLE)(NSData *_Nullable data, NSURLResponse *_Nullable response, NSError *_Nullable error))completionHandler __attribute__((swift_async(none)));
- (NSURLSessionDataTask *)dataTaskWithURL:(NSURL *)url completionHandler:(void (^ SENDABLE)(NSData *_Nullable data, NSURLResponse *_Nullable response, NSError *_Nullable error))completionHandler __attribute__((swift_async(none)));
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request fromData:(nullable NSData *)bodyData completionHandler:(void (^ SENDABLE)(NSData *_Nullable data, NSURLResponse *_Nullable response, NSError *_Nullable error))completionHandler __attribute__((swift_async(none)));
@end

#pragma clang assume_nonnull end
